import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Account } from './account';

export interface LaunchOptions {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Receives stdout and stderr; opened by us, so that the account of the process needs no right to it. */
  logFile: string;
  account: Account | null;
}

/**
 * Starts a process in a process group of its own: Ctrl-C in the terminal reaches only us, and we stop everything in
 * the right order. Resolves when the process runs; rejects when the file cannot be executed.
 */
export async function launch(options: LaunchOptions): Promise<ChildProcess & { pid: number }> {
  mkdirSync(path.dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'a');
  try {
    const child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', log, log],
      ...(options.account ?? {}),
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return child as ChildProcess & { pid: number };
  } finally {
    closeSync(log);
  }
}
