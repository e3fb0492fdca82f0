import { connect } from 'amqplib';

/** Empties a queue, if it is there. */
export async function purge(amqpUrl: string, queue: string): Promise<void> {
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  await channel.purgeQueue(queue);
  await connection.close();
}
