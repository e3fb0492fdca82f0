import express from 'express';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expressHandler } from '../src/http/express-handler';

describe('an application as a handler', () => {
  it('gets requests and responses whose prototype Express does not change', async () => {
    const app = express();
    const prototypes: unknown[] = [];
    const noteBoth = (request: IncomingMessage, response: ServerResponse) =>
      prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app.get('/', (request, response) => {
      noteBoth(request, response);
      response
        .status(201)
        .json({ host: request.get('host'), query: request.query, app: request.app === app });
    });
    const { handler, classes = {} } = expressHandler(app);
    const server = createServer(classes, (request, response) => {
      noteBoth(request, response);
      handler(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const response = await fetch(`http://${origin}/?a=1`);
      expect([response.status, await response.json()]).toEqual([
        201,
        { host: origin, query: { a: '1' }, app: true },
      ]);
      const [request, answer] = [classes.IncomingMessage?.prototype, classes.ServerResponse?.prototype];
      expect(prototypes).toEqual([request, answer, request, answer]);
      expect(prototypes.every((each, n) => each === [request, answer][n % 2])).toBe(true);
    } finally {
      server.close();
    }
  });
});
