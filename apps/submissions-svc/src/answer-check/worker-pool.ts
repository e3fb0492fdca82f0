import { createTurns, TimeoutError, withTimeout, type Turns } from '@canvass/async';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckReply, CheckRequest } from './messages';
import type { AnswerCheckSettings } from './settings';

/** A check took longer than its limit, or more memory: its thread was ended. */
export class LimitExceeded extends Error {}

/** Too many checks wait. */
class PoolFull extends Error {}

interface Thread {
  worker: Worker;
  /** Keys of the models that it has, or had. */
  keys: Set<string>;
  ready: Promise<unknown>;
}

export interface PooledCheck {
  tenantId: string;
  formId: string;
  key: string;
  answers: string;
  readDefinition: () => Promise<string>;
}

export type Checked = Extract<CheckReply, { kind: 'checked' | 'failed' }>;

/** A check waits as long for its turn. */
const maxWaitMs = 5_000;
const maxWaiting = 500;

/** Sources, in tests, run through tsx. A build has the bundle of the thread beside its own. */
const isSource = __filename.endsWith('.ts');
const file = path.join(__dirname, `answer-check.thread.${isSource ? 'ts' : 'js'}`);
const program = isSource
  ? `const from = require('node:module').createRequire(${JSON.stringify(file)}); from('tsx/cjs'); from(${JSON.stringify(file)});`
  : file;

/**
 * Threads that check answers. They start when they are needed, and one more, so that a check that must be
 * ended does not delay others. The checks of a form run one after the other; a tenant has half of the threads
 * while others wait.
 */
export class WorkerPool {
  private readonly idle: Thread[] = [];
  private readonly threads = new Set<Thread>();
  private readonly ofTenants: Turns;
  private readonly ofForms = new Map<string, { turns: Turns; users: number }>();
  private waiting = 0;
  private isStopped = false;

  constructor(private readonly settings: AnswerCheckSettings) {
    this.ofTenants = createTurns({ max: settings.Workers, maxWaitMs, minFree: 1 });
  }

  /**
   * @param mayRun throws if the check is not wanted any more when its turn comes
   * @throws {LimitExceeded | PoolFull}
   */
  async check(check: PooledCheck, mayRun: () => void): Promise<Checked> {
    if (this.waiting >= maxWaiting) throw new PoolFull('Too many checks wait.');
    this.waiting += 1;
    try {
      return await this.inTurn(check.formId, check.tenantId, () => {
        // The check before this one may have shown that the form cannot be checked.
        mayRun();
        return this.run(check);
      });
    } catch (error) {
      if (error instanceof TimeoutError) throw new PoolFull('No thread was free in time.');
      throw error;
    } finally {
      this.waiting -= 1;
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.threads].map(({ worker }) => worker.terminate()));
  }

  private async inTurn<T>(formId: string, tenantId: string, work: () => Promise<T>): Promise<T> {
    const form = this.ofForms.get(formId) ?? { turns: createTurns({ max: 1, maxWaitMs }), users: 0 };
    this.ofForms.set(formId, form);
    form.users += 1;
    try {
      const endForm = await form.turns.take(formId);
      try {
        const end = await this.ofTenants.take(tenantId);
        try {
          return await work();
        } finally {
          end();
        }
      } finally {
        endForm();
      }
    } finally {
      form.users -= 1;
      if (form.users === 0) this.ofForms.delete(formId);
    }
  }

  private async run({ key, answers, readDefinition }: PooledCheck): Promise<Checked> {
    const isKnown = this.idle.some(({ keys }) => keys.has(key));
    let definition = isKnown ? null : await readDefinition();
    for (;;) {
      const thread = this.take(key);
      await thread.ready;
      const reply = await this.ask(thread, { key, definition, answers });
      if (reply.kind === 'checked' || reply.kind === 'failed') return reply;
      thread.keys.delete(key);
      definition ??= await readDefinition();
    }
  }

  private take(key: string): Thread {
    const found = this.idle.findIndex(({ keys }) => keys.has(key));
    const [thread = this.start()] = this.idle.splice(Math.max(found, 0), 1);
    if (this.idle.length === 0 && this.threads.size <= this.settings.Workers) this.idle.push(this.start());
    return thread;
  }

  private start(): Thread {
    const worker = new Worker(program, {
      eval: isSource,
      resourceLimits: { maxOldGenerationSizeMb: this.settings.MemoryMb, maxYoungGenerationSizeMb: 32 },
      env: {},
    });
    worker.unref();
    const thread = { worker, keys: new Set<string>(), ready: nextMessage(worker) };
    thread.ready.catch(() => undefined);
    this.threads.add(thread);
    worker.once('exit', () => {
      this.threads.delete(thread);
      const place = this.idle.indexOf(thread);
      if (place >= 0) this.idle.splice(place, 1);
    });
    return thread;
  }

  private async ask(thread: Thread, request: CheckRequest): Promise<CheckReply> {
    const { worker, keys } = thread;
    const answer = nextMessage(worker);
    worker.postMessage(request);
    try {
      const reply = await withTimeout(answer, this.settings.LimitMs);
      if (keys.size > 1_000) keys.clear();
      keys.add(request.key);
      this.idle.push(thread);
      return reply;
    } catch (cause) {
      answer.catch(() => undefined);
      void worker.terminate();
      if (this.isStopped) throw new PoolFull('The service stops.');
      throw new LimitExceeded('The check took too long, or too much memory.', { cause });
    }
  }
}

/** Rejects if the thread ends first. */
const nextMessage = (worker: Worker): Promise<CheckReply> =>
  new Promise((resolve, reject) => {
    const done = () => {
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    };
    const onMessage = (message: CheckReply) => (done(), resolve(message));
    const onEnd = (error: unknown) => (done(), reject(new Error('The thread has ended.', { cause: error })));
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
  });
