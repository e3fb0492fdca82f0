import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { checkoutDir } from '@canvass/infra';

type Method = (...args: never[]) => unknown;

/** What such a process can do when asked. */
export type Api = Record<string, Method>;

/** A process of its own: a variant, a load generator, a receiver or an attacker. */
export interface Child<A> {
  /** Runs a method of its API there. */
  call<K extends keyof A>(
    method: K,
    ...args: A[K] extends (...args: infer P) => unknown ? P : never
  ): Promise<A[K] extends (...args: never[]) => infer R ? Awaited<R> : never>;
  stop(): Promise<void>;
}

interface Call {
  id: number;
  method: string;
  args: never[];
}

interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

/**
 * Starts `<file>.ts` of this workspace as a process of its own and waits until it listens to calls.
 *
 * @param checkout whose code it runs
 */
export async function startChild<A>(file: string, checkout = checkoutDir): Promise<Child<A>> {
  const child = fork(path.join(checkout, 'quality', `${file}.ts`), {
    cwd: checkout,
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'production' },
    serialization: 'advanced',
  });
  const answers = new EventEmitter();
  child.on('message', (answer: Answer) => answers.emit(String(answer.id), answer));
  const exit = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${file} ended (${signal ?? code})`);
  });
  exit.catch(() => undefined); // reported by the calls in progress
  let calls = 0;
  const call = async (method: string, args: unknown[]) => {
    if (!child.connected) throw new Error(`${file} does not run`);
    const id = ++calls;
    const answered = once(answers, String(id)) as Promise<[Answer]>;
    child.send({ id, method, args });
    const [{ result, error }] = await Promise.race([answered, exit]);
    if (error !== undefined) throw new Error(`${file}: ${error}`);
    return result;
  };
  await call('ready', []);
  return {
    call: (method, ...args) => call(String(method), args) as never,
    async stop() {
      child.kill();
      await exit.catch(() => undefined);
    },
  };
}

/** Called once by the code of a child: answers calls until it disconnects. */
export function serveApi(api: Api): void {
  const methods = { ready: () => undefined, ...api } as Record<string, (...args: never[]) => unknown>;
  process.on('message', ({ id, method, args }: Call) => {
    Promise.resolve()
      .then(() => methods[method]!(...args))
      .then(
        (result) => process.send?.({ id, result }),
        (error: unknown) =>
          process.send?.({
            id,
            error: error instanceof Error ? (error.stack ?? error.message) : String(error),
          }),
      );
  });
  process.on('disconnect', () => process.exit(0));
}
