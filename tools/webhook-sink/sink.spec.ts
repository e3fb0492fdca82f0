import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSink } from './sink';

const lines: string[] = [];
let server: Server;
let url: string;

beforeEach(async () => {
  server = createSink({ requests: 3, bytes: 20 }, (line) => lines.push(line));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const post = (path: string, body: string) =>
  fetch(url + path, { method: 'POST', body, headers: { 'x-service-event': 'form_updated' } });
const listed = async () => (await (await fetch(url)).json()) as { path: string; body: string }[];

it('keeps the newest requests with path, headers and body', async () => {
  for (const path of ['/a', '/b', '/c', '/d']) expect((await post(path, `ü${path}`)).status).toBe(200);
  expect(await listed()).toEqual(
    ['/d', '/c', '/b'].map((path) => ({
      at: expect.stringMatching(/^\d{4}-/) as string,
      path,
      headers: expect.objectContaining({ 'x-service-event': 'form_updated' }) as object,
      body: `ü${path}`,
    })),
  );
  expect(lines.at(-1)).toMatch(/ \/d form_updated 4 bytes$/);
});

it('keeps no more bytes than allowed, and refuses a larger body', async () => {
  await post('/a', 'x'.repeat(15));
  await post('/b', 'y'.repeat(15));
  expect((await listed()).map(({ path }) => path)).toEqual(['/b']);
  expect((await post('/c', 'z'.repeat(21))).status).toBe(413);
  expect((await listed()).map(({ path }) => path)).toEqual(['/b']);
});
