/** The attacker and its slow receiver, in a process of low priority, as if on a machine of their own. */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { webhookSink } from '@canvass/testing';
import { serveApi } from '../../child';
import { attacks, type Victim } from './attacks';

/** Just below the timeout of an attempt, so that the relay never pauses these endpoints. */
const slowAnswerMs = 14_000;

let stopping = new AbortController();
let running: Promise<unknown> = Promise.resolve();

const api = {
  /** Returns the URL of a receiver that answers late. */
  async listen(): Promise<string> {
    os.setPriority(19);
    const sink = await webhookSink({ keep: false });
    sink.respond(() => sleep(slowAnswerMs).then(() => ({ status: 200 })));
    return sink.url;
  },

  start(victim: Victim): void {
    const { signal } = (stopping = new AbortController());
    running = Promise.all(Object.values(attacks).map((attack) => attack(victim, signal)));
    running.catch((error: unknown) => console.error(error));
  },

  async stop(): Promise<void> {
    stopping.abort();
    await running.catch(() => undefined);
  },
};

export type AttackApi = typeof api;

serveApi(api);
