import { execFile } from 'node:child_process';
import path from 'node:path';
import { environment } from './config';
import { stackFile } from './stack';

const checkout = path.resolve(__dirname, '../../..');

/** Runs `npm run ops -- …` on the running stack. */
export async function runOps(...argv: string[]): Promise<{ status: number; output: string; said: string }> {
  const { logs } = await stackFile();
  const { DATABASE_URL: _database, AMQP_URL: _amqp, ...own } = environment;
  return new Promise((resolve) => {
    const program = execFile(
      process.execPath,
      ['--import', 'tsx', 'tools/ops/main.ts', ...argv],
      { cwd: checkout, env: { ...own, CANVASS_STACK_DIR: path.dirname(logs) } },
      (_error, output, said) => resolve({ status: program.exitCode ?? 3, output, said }),
    );
  });
}
