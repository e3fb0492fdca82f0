import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

export interface BackfillProcess {
  kill(signal: NodeJS.Signals): void;
  /** Status is null when a signal ended it. */
  ended: Promise<{ status: number | null; output: string; screen: string }>;
}

/** The command as an operator starts it, in a process of its own. */
export function startBackfill(databaseUrl: string, argv: string[] = []): BackfillProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', 'apps/backfill/src/main.ts', ...argv], {
    cwd: path.join(__dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...settings(databaseUrl) },
  });
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

/** A part of the configuration of submissions-svc, with a key that the backfill does not read. */
const settings = (databaseUrl: string): NodeJS.ProcessEnv => ({
  Service__Database__Url: databaseUrl,
  Service__Broker__Url: 'amqp://127.0.0.1:1',
  Service__Auth__Own__JwksUri: 'http://127.0.0.1:1/jwks',
  Service__Auth__Providers: JSON.stringify([{ Name: 'Keycloak', Issuer: 'http://127.0.0.1:1' }]),
});
