import { eventually, openStream, type OpenStream } from '@canvass/testing';
import type { ServerResponse } from 'node:http';
import { startHarness, type Harness } from './harness';

let gateway: Harness;
let upstream: ServerResponse[];
let streams: OpenStream[];
beforeEach(async () => {
  gateway = await startHarness({ settings: { MaxConnectionsPerService: 2 } });
  [upstream, streams] = [[], []];
  gateway.services.WebHookRelay.handler = (request, response) => {
    if (request.url !== '/api/events/stream') return void response.end('{}');
    upstream.push(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: 1\nevent: ready\ndata: {"after":"${request.headers['last-event-id'] ?? ''}"}\n\n`);
  };
});
afterEach(async () => {
  for (const stream of streams) stream.close();
  await gateway.close();
});

async function follow(count: number): Promise<OpenStream[]> {
  const opened = await Promise.all(
    Array.from({ length: count }, () =>
      openStream(`${gateway.url}/api/events/stream`, { 'last-event-id': '7' }),
    ),
  );
  streams.push(...opened);
  await eventually(() => expect(opened.every(({ events }) => events.length === 1)).toBe(true));
  return opened;
}

it('passes each event on at once, and the position of the client to the service', async () => {
  const [stream] = await follow(1);
  upstream[0]!.write('id: 2\nevent: forms\ndata: {}\n\n');
  await eventually(() => expect(stream!.events.map(({ id }) => id)).toEqual(['1', '2']));
  expect(stream!.events[0]!.data).toEqual({ after: '7' });
});

it('streams leave the connections of a service to its requests', async () => {
  await follow(10);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => fetch(`${gateway.url}/api/webhooks/endpoints`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
});

it('ends the stream of the service when the client has gone, and that of the client with the service', async () => {
  const [first, second] = await follow(2);
  first!.close();
  await eventually(() => expect(upstream.filter(({ destroyed }) => destroyed)).toHaveLength(1));
  for (const response of upstream) response.end();
  await second!.ended;
});

it('open streams do not hold up the stop of the gateway', async () => {
  const [stream] = await follow(1);
  const stopped = gateway.stop();
  await stream!.ended;
  // False if requests had to be cut because the time was over.
  expect(await stopped).toBe(true);
});
