import { eventually } from '@canvass/testing';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { rawRequest, startHarness, type Harness } from './harness';

/**
 * Clients that hold what they can; the gateway must serve the others meanwhile, and forget these when they
 * leave.
 */
describe('hostile clients', () => {
  let gateway: Harness;
  const held: Socket[] = [];
  beforeAll(async () => {
    gateway = await startHarness();
  });
  const others: Harness[] = [];
  afterEach(async () => {
    held.splice(0).forEach((socket) => socket.destroy());
    await Promise.all(others.splice(0).map((other) => other.close()));
  });
  afterAll(() => gateway.close());

  async function hold(count: number, bytes: string, port = gateway.port): Promise<Socket[]> {
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      if (bytes !== '') socket.write(bytes, 'latin1');
      return socket;
    });
    held.push(...sockets);
    await Promise.all(sockets.filter((socket) => socket.connecting).map((socket) => once(socket, 'connect')));
    return sockets;
  }

  async function servesOthers(url = gateway.url): Promise<void> {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${url}/api/data-lists`).then(({ status }) => status)),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
  }

  it('1,000 idle connections: some send nothing, some half of a head, some are kept after an answer', async () => {
    await hold(300, '');
    await hold(300, 'GET /api/data-lists HTTP/1.1\r\nHost: a\r\nX-Half: ');
    const kept = await hold(400, 'GET /api/data-lists HTTP/1.1\r\nHost: a\r\n\r\n');
    await Promise.all(kept.map((socket) => once(socket, 'data')));
    await servesOthers();
    expect(held.filter((socket) => socket.destroyed)).toEqual([]);
  });

  it('slow headers: 200 requests whose head comes byte by byte', async () => {
    const slow = await hold(200, 'GET /api/forms HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    for (let bytes = 0; bytes < 5; bytes += 1) {
      for (const socket of slow) socket.write('x');
      await servesOthers();
    }
    expect(gateway.services.Submissions.seen).toEqual([]);
  });

  it('slow bodies: 300 announced and not sent hold no connection to the service', async () => {
    const before = gateway.services.Submissions.seen.length;
    await hold(300, 'POST /api/forms HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n{');
    await servesOthers();
    expect((await fetch(`${gateway.url}/api/forms`)).status).toBe(200);
    expect(gateway.services.Submissions.seen.slice(before)).toEqual(['GET /api/forms']);
  });

  it('slow bodies: one that does not arrive gets a 408, and its connection ends', async () => {
    const hasty = await startHarness({ settings: { ClientIdleMs: 300 } });
    others.push(hasty);
    const { status, body, head } = await rawRequest(
      hasty.port,
      'POST /api/forms HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n{',
    );
    expect([status, body]).toEqual([408, expect.stringContaining('"request_timeout"')]);
    expect(head).toMatch(/connection: close/i);
    expect(hasty.services.Submissions.seen).toEqual([]);
  });

  it('slow bodies: a small one has 10 s, whatever a slow reader has', async () => {
    const startedAt = performance.now();
    const { status } = await rawRequest(
      gateway.port,
      'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 60\r\n\r\n{',
    );
    expect(status).toBe(408);
    expect(performance.now() - startedAt).toBeLessThan(55_000); // the time of a slow reader is 60 s
  });

  it.each([
    ['of a declared length', 'Content-Length: 60\r\n\r\n{'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
    ['heads', 'X-Slow: '],
  ])('more slow bodies than connections do not lock out others: %s', async (_, rest) => {
    const narrow = await startHarness({ hosting: { MaxConnections: 50 } });
    others.push(narrow);
    await hold(60, `POST /api/auth/login HTTP/1.1\r\nHost: a\r\n${rest}`, narrow.port);
    await servesOthers(narrow.url);
    expect((await fetch(`${narrow.url}/api/forms`)).status).toBe(200);
  });

  it('more connections of one address than it may have: the others have theirs, unless a proxy is trusted', async () => {
    const settings = { MaxConnectionsPerAddress: 10 };
    for (const [TrustedHops, closed] of [
      [0, 5],
      [1, 0],
    ]) {
      const narrow = await startHarness({ settings: { ...settings, TrustedHops } });
      others.push(narrow);
      const sockets = await hold(15, '', narrow.port);
      await eventually(() => expect(sockets.filter((socket) => socket.destroyed)).toHaveLength(closed!));
      expect((await fetch(`${narrow.url}/api/data-lists`)).status).toBe(200);
    }
  });

  it('slow uploads: one that stops is cut off, also if the time limit of its service is longer', async () => {
    const hasty = await startHarness({ settings: { ClientIdleMs: 300 } });
    others.push(hasty);
    hasty.services.DataLists.handler = (request) => void request.on('error', () => undefined).resume();
    const { status, body } = await rawRequest(
      hasty.port,
      'PUT /api/data-lists/1/import HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nvalue\r\n',
    );
    expect([status, body]).toEqual([408, expect.stringContaining('"request_timeout"')]);
  });

  it('slow uploads: one that continues below 64 KiB a minute is cut off, and one above is not', async () => {
    const hasty = await startHarness({ settings: { ClientIdleMs: 400 } });
    others.push(hasty);
    const upload = async (bytesEach50ms: number): Promise<number> => {
      const request = httpRequest(`${hasty.url}/api/data-lists/1/import`, { method: 'PUT' });
      request.on('error', () => undefined);
      const answered = once(request, 'response') as Promise<[IncomingMessage]>;
      request.write('value\n'.repeat(12));
      const dripping = setInterval(() => request.write('x'.repeat(bytesEach50ms)), 50);
      const ended = setTimeout(() => {
        clearInterval(dripping);
        request.end();
      }, 2_000);
      const [response] = await answered;
      clearInterval(dripping);
      clearTimeout(ended);
      request.destroy();
      return response.statusCode!;
    };
    hasty.services.DataLists.handler = (request, response) => {
      request.on('error', () => undefined).resume();
      request.once('end', () => response.end());
    };
    expect(await Promise.all([upload(10), upload(200)])).toEqual([408, 200]);
  });

  it('slow uploads: they hold at most half of the connections to a service, the rest gets a 503', async () => {
    const narrow = await startHarness({ settings: { MaxConnectionsPerService: 20 } });
    others.push(narrow);
    const { DataLists } = narrow.services;
    const answer = DataLists.handler;
    DataLists.handler = (request, response) => {
      if (request.method === 'GET') answer(request, response);
      else request.on('error', () => undefined).resume();
    };
    const head = 'PUT /api/data-lists/1/import HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const uploads = await hold(60, `${head}5\r\nvalue\r\n`, narrow.port);
    let refused = 0;
    for (const socket of uploads) {
      socket.once(
        'data',
        (answer: Buffer) => (refused += answer.toString().startsWith('HTTP/1.1 503') ? 1 : 0),
      );
    }
    await eventually(() => expect([DataLists.seen.length, refused]).toEqual([10, 50]));
    await servesOthers(narrow.url);
    for (const socket of uploads) socket.destroy();
    await eventually(async () => {
      const again = { method: 'PUT', body: Buffer.alloc(100_000), signal: AbortSignal.timeout(200) };
      await fetch(`${narrow.url}/api/data-lists/1/import`, again).catch(() => undefined);
      expect(DataLists.seen.length).toBeGreaterThan(31);
    });
  });

  it('slow readers: unread answers make room for other requests', async () => {
    const narrow = await startHarness({ settings: { MaxConnectionsPerService: 20 } });
    others.push(narrow);
    const { DataLists } = narrow.services;
    const large = Buffer.alloc(8 * 2 ** 20);
    DataLists.handler = (request, response) =>
      void response.end(request.url?.endsWith('large') === true ? large : '{}');
    const readers = await hold(40, 'GET /api/data-lists/large HTTP/1.1\r\nHost: a\r\n\r\n', narrow.port);
    for (const socket of readers) socket.pause();
    await eventually(() => expect(DataLists.seen.length).toBeGreaterThanOrEqual(20));
    await servesOthers(narrow.url);
  });

  it('300 uploads that break off: each ends at the service too, and its connections serve again', async () => {
    let open = 0;
    const answer = gateway.services.DataLists.handler;
    gateway.services.DataLists.handler = (request) => {
      open += 1;
      request.on('error', () => undefined);
      request.resume().once('close', () => (open -= 1));
    };
    const path = 'PUT /api/data-lists/1/import';
    const head = `${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (let wave = 0; wave < 3; wave += 1) {
      const uploads = await hold(100, `${head}5\r\nvalue\r\n`);
      await eventually(() => expect(open).toBe(100));
      for (const socket of uploads) socket.destroy();
      await eventually(() => expect(open).toBe(0));
    }
    gateway.services.DataLists.handler = answer;
    await servesOthers();
  });

  it('headers over 16 KiB: each gets the problem, and other requests are not affected', async () => {
    const head = `GET /api/forms HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => rawRequest(gateway.port, head)));
    for (const { status, head: lines, body } of answers) {
      expect([status, JSON.parse(body)]).toEqual([
        431,
        expect.objectContaining({ errorCode: 'headers_too_large' }),
      ]);
      expect(lines).toMatch(/content-type: application\/problem\+json/i);
    }
    await servesOthers();
  });

  it('every response has the security headers, also health and those to unreadable requests', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const paths = ['/health', '/health/detail', '/health/ui', '/alive', '/ready', '/api/forms', '/x', '//'];
    const unreadable = [
      'GARBAGE\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
    ];
    for (const bytes of [...paths.map(get), ...unreadable]) {
      const { head } = await rawRequest(gateway.port, bytes);
      const headers = new Map(
        head
          .split('\r\n')
          .map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*: /, '')]),
      );
      const request = bytes.slice(0, 30);
      expect([request, headers.get('content-security-policy')]).toEqual([
        request,
        expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
      ]);
      expect([request, headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual([
        request,
        'DENY',
        'no-referrer',
      ]);
      expect([request, headers.get('x-content-type-options')]).toEqual([request, 'nosniff']);
    }
  });

  it('a request inside of another’s body stays a body', async () => {
    const bodies: string[] = [];
    const answer = gateway.services.Submissions.handler;
    gateway.services.Submissions.handler = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        response.end('{}');
      });
    };
    const inner = 'GET /internal/secrets HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const method of ['GET', 'DELETE', 'POST']) {
      const { text } = await rawRequest(
        gateway.port,
        `${method} /api/forms HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      );
      expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    }
    expect(bodies).toEqual([inner, inner, inner]);
    expect(gateway.services.Submissions.seen.filter((line) => line.includes('internal'))).toEqual([]);
    gateway.services.Submissions.handler = answer;
  });
});
