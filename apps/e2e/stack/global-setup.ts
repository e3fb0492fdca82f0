import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { controlUrl, environment, setControlUrl } from '../src/config';

declare global {
  var e2eStack: ChildProcess | undefined;
}

/**
 * Starts the stack once for all spec files. If a control URL is given, that stack is used and not stopped.
 */
export default async function globalSetup(): Promise<void> {
  if (controlUrl()) return;
  // The tests stop and kill the servers, so the stack must have private servers.
  const { DATABASE_URL: _database, AMQP_URL: _amqp, ...env } = environment;
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(__dirname, 'stack-process.ts')], {
    cwd: path.resolve(__dirname, '../../..'),
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  globalThis.e2eStack = child;
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', () => reject(new Error(`The stack did not start:\n${said}`)));
  });
  setControlUrl(url);
}
