import path from 'node:path';
import { checkoutDir, runNode } from '../infra';

/**
 * Runs an operation (`npm run ops -- … --yes`) on the stack in `dir`. Returns what it printed.
 *
 * @throws {Error} with the output, if its status is not 0
 */
export async function runOps(dir: string, ...operation: readonly string[]): Promise<string> {
  const program = path.join(checkoutDir, 'tools/ops/main.ts');
  const args = ['--import', 'tsx', program, ...operation, '--yes'];
  const { status, output } = await runNode(args, { CANVASS_STACK_DIR: dir }, 2);
  if (status !== 0) throw new Error(`ops ${operation.join(' ')} ended with ${status}: ${output.trim()}`);
  return output.trim();
}
