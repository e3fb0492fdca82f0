import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { SubmissionsConfig } from '../src/config';

export interface ServiceProcess {
  url: string;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts submissions-svc in a process of its own, so that it can be killed. */
export async function startProcess(config: SubmissionsConfig): Promise<ServiceProcess> {
  const child = fork(path.join(__dirname, 'service-process.ts'), {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit');
  child.send(config);
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
