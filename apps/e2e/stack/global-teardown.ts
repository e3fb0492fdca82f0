/** Stops the stack that global-setup.ts started. */
export default async function globalTeardown(): Promise<void> {
  const child = globalThis.e2eStack;
  if (child === undefined || child.exitCode !== null) return;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.stdin?.end();
  });
}
