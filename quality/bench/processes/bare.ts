/** The raw limits: what the machine can do with the same libraries and nothing of ours. */
import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { connect } from 'amqplib';
import express from 'express';
import pg from 'pg';
import { listen } from '@canvass/testing';
import { Pool } from 'undici';
import { serveApi } from '../child';
import { createValues, type BindCreate } from './create-values';

const json = { 'content-type': 'application/json' };
const hopByHop = new Set(['connection', 'keep-alive', 'host', 'transfer-encoding', 'expect']);
const endToEnd = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name))) as Record<
    string,
    string
  >;

const api = {
  /**
   * A create: express, its JSON parser and `pg` with the service's own statement.
   *
   * @param file the module of the service that exports `createAnonymous`
   */
  async create(databaseUrl: string, poolMax: number, file: string): Promise<string> {
    const { createAnonymous } = (await import(file)) as { createAnonymous: BindCreate };
    const pool = new pg.Pool({ connectionString: databaseUrl, max: poolMax });
    const app = express();
    app.post('/api/forms/:formId/submissions', express.json(), async (request, response) => {
      const { jsonData } = request.body as { jsonData: string };
      const token = randomBytes(32).toString('base64url');
      const hash = createHash('sha256').update(token).digest();
      const create = createAnonymous(createValues({ formId: request.params['formId'], jsonData, hash }));
      const { rows } = await pool.query<{ view: object }>(create);
      response.status(201).json({ ...rows[0]?.view, token });
    });
    return (await listen(app)).url;
  },

  /** A gateway: `node:http` in front, one undici pool behind; the bytes are passed on. */
  async proxy(target: string, connections: number): Promise<string> {
    const pool = new Pool(target, { connections, pipelining: 1 });
    const pass: RequestListener = (request, response) => {
      const { url: path = '/', method = 'GET' } = request;
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: request };
      pool.dispatch(
        { path, method: method as 'GET' | 'POST', headers: endToEnd(request.headers), ...body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, status, answer) => void response.writeHead(status, endToEnd(answer)),
          onResponseData(controller, chunk) {
            if (response.write(chunk)) return;
            controller.pause();
            response.once('drain', () => controller.resume());
          },
          onResponseEnd: () => void response.end(),
          onResponseError: () => response.destroy(),
        },
      );
    };
    const { url, server } = await listen(pass);
    server.keepAliveTimeout = 60_000;
    return url;
  },

  /**
   * From a change to its receiver: express, an insert, a confirmed publish, a consumer and an undici pool.
   */
  async chain(databaseUrl: string, amqpUrl: string, sinkUrl: string): Promise<string> {
    const queue = 'bench.chain';
    const database = new pg.Pool({ connectionString: databaseUrl, max: 10 });
    await database.query(
      'create table if not exists chain (id bigint generated always as identity primary key, data text not null)',
    );
    const channel = await (await connect(amqpUrl, { noDelay: true })).createConfirmChannel();
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    const sink = new Pool(sinkUrl, { connections: 50, pipelining: 1 });
    await channel.prefetch(50);
    await channel.consume(queue, (message) => {
      if (message === null) return;
      sink
        .request({ path: '/', method: 'POST', headers: json, body: message.content })
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
      const message = Buffer.from(JSON.stringify({ submissionId: id, jsonData }));
      await new Promise<void>((resolve, reject) =>
        channel.publish('', queue, message, { persistent: true }, (error: Error | null) =>
          error ? reject(error) : resolve(),
        ),
      );
      response.status(201).json({ id });
    });
    return (await listen(app)).url;
  },

  /** Posts so many bodies through one undici pool; returns the seconds until the last answer. */
  async send(origin: string, body: string, requests: number, connections: number): Promise<number> {
    const pool = new Pool(origin, { connections, pipelining: 1 });
    const bytes = Buffer.from(body);
    let left = requests;
    const started = performance.now();
    const loop = async () => {
      while (left-- > 0)
        await (await pool.request({ path: '/', method: 'POST', headers: json, body: bytes })).body.dump();
    };
    await Promise.all(Array.from({ length: connections }, loop));
    const seconds = (performance.now() - started) / 1000;
    await pool.close();
    return seconds;
  },
};

export type BareApi = typeof api;

serveApi(api);
