import { readFileSync } from 'node:fs';
import { runCommand } from '@canvass/infra';
import { buildApps, startStack, withRunDir, type Stack, type StackOptions } from '@canvass/stack';

type Options = Pick<StackOptions, 'env' | 'programs' | 'replicas'>;

/**
 * Runs a proof on a private stack, which is stopped and deleted afterwards, and ends the process: with 0 if
 * the proof returned true.
 *
 * @param name of the proof, for the folder of the stack
 * @param proof is called with the stack and its folder
 */
export function proveOnStack(
  name: string,
  options: Options,
  proof: (stack: Stack, dir: string) => Promise<boolean>,
): void {
  const prove = async (dir: string) => {
    const fixed = { dir, ephemeral: true, privateServers: true, prepare: buildApps, say: console.log };
    const stack = await startStack({ ...options, ...fixed });
    try {
      return (await proof(stack, dir)) ? 0 : 1;
    } finally {
      await stack.stop();
    }
  };
  runCommand(() => withRunDir(name, false, prove));
}

/** Webhook settings by which completed submissions are sent to these URLs. */
export const hooksTo = (...urls: readonly string[]): string => hooksWith({ Type: 'None' }, ...urls);

/** The same, with an authentication of each. */
export function hooksWith(Authentication: object, ...urls: readonly string[]): string {
  const WebHookEndpoints = urls.map((Url) => ({ Url, Authentication }));
  return JSON.stringify({ Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints } } });
}

/** Resident megabytes of a process; 0 if it does not run, and without Linux' /proc. */
export function memoryOf(pid: number | null): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
