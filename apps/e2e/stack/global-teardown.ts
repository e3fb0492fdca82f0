/** A stack that has not stopped by then is killed, so that a run always ends. */
const stopMs = 90_000;

/** Stops the stack that global-setup.ts started. */
export default async function globalTeardown(): Promise<void> {
  const child = globalThis.e2eStack;
  if (child === undefined || child.exitCode !== null) return;
  const limit = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.stdin?.end();
  });
  clearTimeout(limit);
}
