import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { CheckerSetting } from './checker/checker-setting';
import type { CheckerAnswer, CheckerOrder } from './checker/protocol';
import type { FaultRecord } from './records';
import type { Verdict } from './verdict/verdict';

type Progress = Extract<CheckerAnswer, { answer: 'progress' }>;

/** The checker, from the harness's side. One order is under way at a time, but for `receiver`, which has no answer. */
export class CheckerProcess {
  private readonly child: ChildProcess;

  constructor() {
    this.child = fork(path.join(__dirname, 'checker', 'main.ts'), {
      execArgv: ['--import', 'tsx', '--max-old-space-size=4096'],
      serialization: 'advanced',
    });
  }

  async begin(setting: CheckerSetting): Promise<void> {
    await this.ask({ order: 'begin', setting }, 'begun', 300_000);
  }

  receiver(endpoint: number, how: 'well' | 'fail' | 'hang' | 'drip'): void {
    if (this.child.connected) this.child.send({ order: 'receiver', endpoint, how } satisfies CheckerOrder);
  }

  progress(): Promise<Progress> {
    return this.ask({ order: 'progress' }, 'progress', 120_000);
  }

  async cease(): Promise<void> {
    await this.ask({ order: 'cease' }, 'ceased', 300_000);
  }

  async compare(faults: FaultRecord[]): Promise<Verdict> {
    return (await this.ask({ order: 'compare', faults }, 'verdict', 1_500_000)).verdict;
  }

  /** Ends it, whatever it is doing. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.connected) this.child.disconnect();
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(late);
  }

  private ask<A extends CheckerAnswer['answer']>(
    order: CheckerOrder,
    expected: A,
    timeoutMs: number,
  ): Promise<Extract<CheckerAnswer, { answer: A }>> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        clearTimeout(late);
        this.child.off('message', onMessage);
        this.child.off('exit', onExit);
        end();
      };
      const onMessage = (answer: CheckerAnswer) => {
        if (answer.answer === 'failed') finish(() => reject(new Error(`the checker: ${answer.reason}`)));
        else if (answer.answer === expected) {
          finish(() => resolve(answer as Extract<CheckerAnswer, { answer: A }>));
        }
      };
      const onExit = (code: number | null) =>
        finish(() => reject(new Error(`the checker ended with status ${code}`)));
      const late = setTimeout(
        () => finish(() => reject(new Error(`the checker did not answer "${order.order}" in time`))),
        timeoutMs,
      );
      this.child.on('message', onMessage);
      this.child.once('exit', onExit);
      this.child.send(order);
    });
  }
}
