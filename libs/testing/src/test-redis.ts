import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { testRedisServer } from './config';
import { freePort } from './listen';

/** A Redis server for one spec file, on a free loopback port, without persistence. */
export interface TestRedis {
  url: string;
  /** Ends the process. Commands fail until `start`. */
  stop(): Promise<void>;
  /** Starts the server again on the same port, without data. */
  start(): Promise<void>;
}

export async function testRedis(): Promise<TestRedis> {
  const { program, env } = testRedisServer();
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    child = spawn(program, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
    for await (const line of createInterface({ input: child.stdout! })) {
      if (line.includes('Ready to accept connections')) return;
    }
    throw new Error('Redis did not start.');
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
