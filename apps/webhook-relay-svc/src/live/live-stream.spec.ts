import type { Principal } from '@canvass/auth';
import { eventually, listen, type Listening } from '@canvass/testing';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LiveEvent } from './live-events.sql';
import { LiveStream } from './live-stream';
import { topics } from './topics';

const principal = { permissions: new Set(['Submissions.View']) } as unknown as Principal;
const batch = (from: number): LiveEvent[] =>
  Array.from({ length: 200 }, (_, n) => ({
    id: String(from + n),
    topic: 'submissions',
    type: 'submission.updated',
    entityId: '1',
    formId: '2',
    revision: '3',
    occurredAt: new Date(),
  }));

const servers: Listening[] = [];
afterEach(() => Promise.all(servers.splice(0).map(({ close }) => close())));

/** A stream with a real client that does not read yet. */
async function connected(admit: () => Promise<Principal | null> = () => Promise.resolve(principal)) {
  let response: ServerResponse | undefined;
  const server = await listen((_request, begun) => {
    begun.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    response = begun;
  });
  servers.push(server);
  const client = await new Promise<IncomingMessage>((resolve) => get(server.url, resolve));
  client.on('error', () => undefined);
  const stream = new LiveStream(response!, {
    tenantId: '1',
    topics: new Set(topics),
    position: '0',
    admit,
  });
  return { stream, client, response: response! };
}

it('a client that does not read gets no further events, and continues where it was', async () => {
  const { stream, client, response } = await connected();
  let sent = 0;
  for (; stream.isReady; sent += 200) await stream.advance(batch(sent), String(sent + 199));
  expect(response.writableLength).toBeLessThan(1024 * 1024);
  let text = '';
  client.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await eventually(() => expect(stream.isReady).toBe(true));
  await eventually(() => expect(text.match(/^event: /gm)).toHaveLength(sent));
  expect(stream.position).toBe(String(sent - 1));
});

it('writes a heartbeat with its position after 15 seconds of silence', async () => {
  const { stream, client } = await connected();
  let text = '';
  client.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const start = performance.now();
  const now = jest.spyOn(performance, 'now');
  now.mockReturnValue(start + 14_000);
  await stream.advance([], '5');
  now.mockReturnValue(start + 16_000);
  await stream.advance([], '6');
  now.mockRestore();
  await eventually(() => expect(text).toBe('id: 6\n\n'));
});

it.each([
  ['is not valid any more', () => Promise.reject(new Error('expired'))],
  ['is anonymous', () => Promise.resolve(null)],
])('ends before the next event when the token %s', async (_, admit) => {
  const { stream, client } = await connected(admit);
  let text = '';
  client.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise((resolve) => client.once('end', resolve));
  await stream.advance(batch(0), '199');
  await ended;
  expect(text).toBe('');
});
