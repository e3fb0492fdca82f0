import { connect } from 'node:net';
import {
  defaultHealthPaths,
  endpoint,
  ok,
  silentLogger,
  startService,
  streamed,
  type Endpoint,
  type RunningService,
} from '../src';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    service: { name: 'test-svc', create: () => ({ endpoints: [begun(), saved()] }) },
    config: {
      Hosting: {
        Host: '127.0.0.1',
        Port: 0,
        InternalPort: 0,
        DrainSeconds: 0,
        ShutdownSeconds: 5,
        ...defaultHealthPaths,
        PublicHealthDetails: true,
        MaxConnections: 100,
      },
      Logging: { Level: 'error' },
    },
    logger: silentLogger,
  });
  await service.ready;
});
afterAll(() => service.stop());

/** Sends the first half of its response and never the second. */
const begun = (): Endpoint =>
  endpoint.read({
    method: 'get',
    path: '/api/begun',
    operationId: 'begun',
    summary: 'Begins.',
    answers: null,
    access: 'anonymous',
    handle: () =>
      Promise.resolve(
        streamed(
          'text/plain',
          (response) => {
            response.write('half.');
            return new Promise(() => undefined);
          },
          { headers: { 'Content-Length': '1000' } },
        ),
      ),
  });

const saved = (): Endpoint =>
  endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'post',
    path: '/api/saved',
    operationId: 'saved',
    summary: 'Saves.',
    answers: null,
    access: 'anonymous',
    handle: ({ headers }) => Promise.resolve(ok({ saved: true, last: headers['x-last'] })),
  });

/** Sends bytes, sends more bytes when the response has started, and reads to the end of the connection. */
function exchange(bytes: string, afterwards?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1').setEncoding('latin1');
    let text = '';
    socket.on('data', (piece: string) => {
      if (afterwards !== undefined && !text.includes('half.') && (text + piece).includes('half.'))
        socket.write(afterwards);
      text += piece;
    });
    socket.on('error', () => undefined).once('close', () => resolve(text));
    socket.write(bytes);
  });
}

it.each([
  ['none', ''],
  ['two', 'Host: a\r\nHost: b\r\n'],
  ['the same twice', 'Host: a\r\nhost: a\r\n'],
  ['one with a path', 'Host: a/b\r\n'],
  ['one with a user', 'Host: u@a\r\n'],
  ['one with a space', 'Host: a b\r\n'],
])('a request needs exactly one valid Host (RFC 9112, section 3.2): %s is a 400', async (_name, host) => {
  const text = await exchange(`GET /alive HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1.1 400 /);
  expect(text).toMatch(/content-type: application\/problem\+json/i);
  expect(text).toContain('"errorCode":"malformed_request"');
});

it.each(['a', 'a:80', 'a_b.example:', '[::1]:8080', '127.0.0.1', ''])('Host: %j is valid', async (host) => {
  const text = await exchange(`GET /alive HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1.1 200 /);
});

it('HTTP/1.0 needs no Host', async () => {
  expect(await exchange('GET /alive HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

it('an unknown expectation is ignored', async () => {
  const head = 'POST /api/saved HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n';
  expect(await exchange(`${head}Content-Length: 0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 [^]*{"saved":true}$/);
});

it('the last header arrives even if there are more headers than the default limit of Node', async () => {
  const many = 'a:1\r\n'.repeat(2_500);
  const text = await exchange(
    `POST /api/saved HTTP/1.1\r\nHost: a\r\n${many}X-Last: 7\r\nConnection: close\r\n\r\n`,
  );
  expect(text).toMatch(/{"saved":true,"last":"7"}$/);
});

it('a malformed request behind a response in progress aborts that response and does not become part of it', async () => {
  const text = await exchange('GET /api/begun HTTP/1.1\r\nHost: a\r\n\r\n', '\x01garbage\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1.1 200 [^]*half\.$/);
});
