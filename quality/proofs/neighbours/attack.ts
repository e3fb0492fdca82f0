/**
 * The attacker and its slow receiver, in a process of low priority, as if on a machine of their own. It first
 * sends the URL of the receiver, then follows each order and answers with a message.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { attacks, type AttackName, type Victim } from './attacks';

export type Order = { victim: Victim } | { start: AttackName[] } | { stop: true };

/** Just below the timeout of an attempt, so that the relay never pauses these endpoints. */
const slowAnswerMs = 14_000;

let victim: Victim;
let stopping = new AbortController();
let running: Promise<unknown> = Promise.resolve();

async function follow(order: Order): Promise<void> {
  if ('victim' in order) ({ victim } = order);
  else if ('start' in order) {
    const { signal } = (stopping = new AbortController());
    running = Promise.all(order.start.map((name) => attacks[name](victim, signal)));
    running.catch((error: unknown) => console.error(error));
  } else {
    stopping.abort();
    await running.catch(() => undefined);
  }
}

async function main(): Promise<void> {
  os.setPriority(19);
  const receiver = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(200).end(), slowAnswerMs);
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  process.on('message', (order: Order) => void follow(order).then(() => process.send!('done')));
  process.on('disconnect', () => process.exit(0));
  process.send!({ slowUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` });
}

void main();
