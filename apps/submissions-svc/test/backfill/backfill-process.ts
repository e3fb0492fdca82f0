import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { text } from 'node:stream/consumers';

export interface BackfillProcess {
  kill(signal: NodeJS.Signals): void;
  /** Status is null when a signal ended it. */
  ended: Promise<{ status: number | null; output: string; screen: string }>;
}

/** The command as an operator starts it: the service's main.ts in a process of its own. */
export function startBackfill(databaseUrl: string, argv: string[] = []): BackfillProcess {
  const root = path.join(__dirname, '../../../..');
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'apps/submissions-svc/src/main.ts', 'backfill', ...argv],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...settings(databaseUrl) } },
  );
  const output = text(child.stdout);
  const screen = text(child.stderr);
  const exit = new Promise<number | null>((resolve, reject) => child.on('exit', resolve).on('error', reject));
  return {
    kill: (signal) => void child.kill(signal),
    ended: Promise.all([exit, output, screen]).then(([status, out, err]) => ({
      status,
      output: out,
      screen: err,
    })),
  };
}

const settings = (databaseUrl: string): NodeJS.ProcessEnv => ({
  Service__Database__Url: databaseUrl,
  Service__Broker__Url: 'amqp://127.0.0.1:1',
  Service__Internal__Secret: randomBytes(32).toString('hex'),
  Service__Encryption__Keys: JSON.stringify([`k1:${randomBytes(32).toString('base64')}`]),
  Service__Auth__Own__Issuer: 'canvass-identity',
  Service__Auth__Own__JwksUri: 'http://127.0.0.1:1/jwks',
  Service__Auth__Providers: JSON.stringify([
    {
      Name: 'Keycloak',
      Issuer: 'http://127.0.0.1:1',
      Audience: 'canvass-api',
      JwksUri: 'http://127.0.0.1:1/jwks',
      TenantId: '1001',
    },
  ]),
});
