// An internal consumer of Canvass' events: keeps a count of items per data list, from `datalist.*` alone.
//
//   AMQP_URL=amqp://... node examples/consumer.mjs
//
// What every consumer has to do, and where it is done here: a queue of its own (1), nothing acknowledged
// before it is handled (2), repeated and late events do no harm (3), a message it cannot read does not stop
// the others (4), a lost connection is made again (5).
import amqp from 'amqplib';

const queue = process.env.QUEUE ?? 'example.data-list-counts';

/** List id → { revision, itemsCount }; a real consumer keeps this in its own database. */
const lists = new Map();

/**
 * (3) Delivery is at least once and order is not promised: `revision` grows by one with every change of an
 * entity.
 */
function handle(event) {
  const known = lists.get(event.entityId);
  if (known && BigInt(known.revision) >= BigInt(event.revision)) return;
  const deleted = event.type === 'datalist.deleted';
  // A deleted list stays known by its revision, so that a late event does not bring it back.
  lists.set(event.entityId, { revision: event.revision, itemsCount: deleted ? 0 : event.data.itemsCount });
  console.log(
    `${event.type} ${event.entityId} "${event.data.name}" revision ${event.revision}: ${event.data.itemsCount} items`,
  );
}

async function consume() {
  const connection = await amqp.connect(process.env.AMQP_URL ?? 'amqp://localhost');
  connection.on('error', () => undefined); // `close` follows; unheard, an error event would end the process
  const closed = new Promise((resolve) => connection.once('close', resolve));
  try {
    await subscribe(connection);
    await closed;
  } finally {
    await connection.close().catch(() => undefined); // it may be closed already
  }
}

async function subscribe(connection) {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);

  // (1) The exchange belongs to Canvass and is only checked; the queue is ours, durable and limited.
  await channel.checkExchange('service.events');
  await channel.assertQueue(queue, {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': 20,
      'x-max-length': 100_000,
      'x-overflow': 'drop-head', // a queue that refuses when full would hold events back for everybody
    },
  });
  await channel.bindQueue(queue, 'service.events', 'datalist.*');
  await channel.prefetch(20);

  await channel.consume(queue, (message) => {
    if (message === null) return void connection.close(); // the broker ended the subscription
    try {
      handle(JSON.parse(message.content.toString('utf8')));
      channel.ack(message); // (2)
    } catch (error) {
      console.error(`message ${message.properties.messageId} cannot be read:`, error.message);
      channel.nack(message, false, false); // (4) not again; with a dead-letter exchange on the queue it would be kept
    }
  });
  console.log(`listening on ${queue}`);
}

// (5)
for (;;) {
  await consume().catch((error) => console.error(`no connection: ${error.message}`));
  await new Promise((resolve) => setTimeout(resolve, 1000 + Math.random() * 1000));
}
