import { fork } from 'node:child_process';
import path from 'node:path';
import type { ReceivedDelivery, ReceiverMessage, ReceiverSecret } from './receiver';

export interface Receiver {
  url: string;
  deliveries: ReceivedDelivery[];
  trust(secret: ReceiverSecret): void;
  stop(): void;
}

/** Starts the receiver as a process of its own and collects what it reports. */
export async function startReceiver(onDelivery: (delivery: ReceivedDelivery) => void): Promise<Receiver> {
  const child = fork(path.join(__dirname, 'receiver.ts'), { execArgv: ['--import', 'tsx'] });
  const deliveries: ReceivedDelivery[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the receiver ended with status ${code}`)));
    child.on('message', (message: ReceiverMessage) => {
      if (message.kind === 'listening') return resolve(message.url);
      deliveries.push(message.delivery);
      onDelivery(message.delivery);
    });
  });
  return {
    url,
    deliveries,
    trust: (secret) => child.send(secret),
    stop: () => child.disconnect(),
  };
}
