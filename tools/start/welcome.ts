import type { StackFile } from './stack-file';

/** What a person needs first: addresses, a login, a request to try. */
export function printWelcome(stack: StackFile, say: (line: string) => void): void {
  const { gatewayUrl, demo } = stack;
  const copies = Object.entries(stack.replicas).map(([name, more]) => `${name} ${more.length + 1} copies`);
  say(`
  Gateway   ${gatewayUrl}
  Health    ${gatewayUrl}/health/ui
  Login     ${demo.adminEmail}  ${demo.adminPassword}${copies.length ? `\n  Copies    ${copies.join(', ')}` : ''}

  Addresses and passwords for scripts are in .local/stack.json, logs in .local/logs/.
  Webhooks may go to loopback addresses: this is the development profile.

  Try:  curl -s ${gatewayUrl}/api/auth/login -H 'content-type: application/json' -d '${JSON.stringify({ email: demo.adminEmail, password: demo.adminPassword })}'
`);
}
