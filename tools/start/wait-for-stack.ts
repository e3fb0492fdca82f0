import { setTimeout as sleep } from 'node:timers/promises';
import { lockHolder, SetupError } from '../infra';
import { readStackFile, type StackFile } from './stack-file';

/** The stack of another `npm start`, which may still be starting it. */
export async function waitForStack(dir: string, lock: string, timeoutMs = 240_000): Promise<StackFile> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const holder = lockHolder(lock);
    const stack = readStackFile(dir);
    if (stack && stack.supervisorPid === holder?.pid) return stack;
    if (!holder)
      throw new SetupError('The other "npm start" ended before its stack was ready: run it again.');
    if (Date.now() > deadline) {
      throw new SetupError(
        `The other "npm start" (process ${holder.pid}) does not get ready: stop it with npm start -- --stop.`,
      );
    }
    await sleep(200);
  }
}
