import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { localDir } from '@canvass/infra';
import { buildApps, startStack, type Stack, type StackOptions } from '@canvass/stack';

type Options = Pick<StackOptions, 'env' | 'replicas'>;

/**
 * Runs a proof on a private stack, which is stopped and deleted afterwards, and ends the process: with 0 if
 * the proof returned true.
 *
 * @param name of the proof, for the folder of the stack
 */
export function proveOnStack(
  name: string,
  options: Options,
  proof: (stack: Stack) => Promise<boolean>,
): void {
  const run = async () => {
    const dir = path.join(localDir, `${name}-${process.pid}`);
    mkdirSync(dir, { recursive: true });
    const say = (line: string) => console.log(line);
    const fixed = { dir, ephemeral: true, privateServers: true, prepare: buildApps, say };
    const stack = await startStack({ ...options, ...fixed });
    try {
      return await proof(stack);
    } finally {
      await stack.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  };
  run().then(
    (holds) => process.exit(holds ? 0 : 1),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}
