/**
 * Drains an outbox in a process of its own, whose memory the spec limits. Arguments: URLs of database and
 * broker, and the maximum bytes of a batch. Sends the peak of its memory in bytes when it is asked.
 */
import { exchanges } from '@canvass/contracts';
import { createBroker } from '@canvass/messaging';
import { createDatabase } from '@canvass/postgres';
import { createDispatcher } from '../src';

const [databaseUrl = '', brokerUrl = '', batchBytes = ''] = process.argv.slice(2);
const logger = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
const topology = {
  exchanges: [exchanges.events, exchanges.queues].map((name) => ({
    name,
    type: 'topic' as const,
    arguments: {},
  })),
  queues: [],
};
const db = createDatabase({ Url: databaseUrl }, { applicationName: 'drain' });
const broker = createBroker({ Url: brokerUrl }, { name: 'drain', topology, logger });
createDispatcher({ db, broker, logger, batchBytes: Number(batchBytes) }).start();

let peak = 0;
setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  peak = Math.max(peak, heapUsed + external);
}, 5);
process.on('message', () => process.send!(peak));
