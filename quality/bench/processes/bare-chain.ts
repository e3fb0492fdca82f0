/**
 * The raw limit of the way from a change to its receiver: express, an insert, a confirmed publish, a consumer and an
 * undici pool in one process. No outbox, no log of deliveries, no signature, no retries: what is lost is lost.
 */
import type { AddressInfo } from 'node:net';
import { connect } from 'amqplib';
import express from 'express';
import pg from 'pg';
import { Pool } from 'undici';
import { serveApi } from '../child';

const queue = 'bench.chain';

const api = {
  async listen(databaseUrl: string, amqpUrl: string, sinkUrl: string): Promise<string> {
    const database = new pg.Pool({ connectionString: databaseUrl, max: 10 });
    await database.query(
      'create table if not exists chain (id bigint generated always as identity primary key, data text not null)',
    );
    const connection = await connect(amqpUrl, { noDelay: true });
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    const sink = new Pool(sinkUrl, { connections: 50, pipelining: 1 });

    await channel.prefetch(50);
    await channel.consume(queue, (message) => {
      if (message === null) return;
      const headers = { 'content-type': 'application/json' };
      sink
        .request({ path: '/', method: 'POST', headers, body: message.content })
        .then(({ body }) => body.dump())
        .finally(() => channel.ack(message))
        .catch(console.error);
    });

    const app = express();
    app.post('/', express.json(), async (request, response) => {
      const { jsonData } = request.body as { jsonData: string };
      const { rows } = await database.query<{ id: string }>({
        name: 'chain',
        text: 'insert into chain (data) values ($1) returning id',
        values: [jsonData],
      });
      const id = rows[0]?.id ?? '';
      const body = Buffer.from(JSON.stringify({ submissionId: id, jsonData }));
      await new Promise<void>((resolve, reject) =>
        channel.publish('', queue, body, { persistent: true }, (error: Error | null) =>
          error ? reject(error) : resolve(),
        ),
      );
      response.status(201).json({ id });
    });
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    });
  },
};

export type BareChainApi = typeof api;

serveApi(api);
