import { eventually } from '@canvass/testing';
import { connect } from 'node:net';
import { rawRequest, startHarness, type Harness } from './harness';

const post = (body: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** Short enough to be waited for, and longer than a busy machine stands still. */
const hastyMs = 1_500;

describe('when a service fails', () => {
  let gateway: Harness;
  let hasty: Harness;
  beforeAll(async () => {
    gateway = await startHarness();
    hasty = await startHarness({ route: (route) => ({ ...route, timeoutMs: hastyMs }) });
  });
  afterAll(() => Promise.all([gateway.close(), hasty.close()]));

  it('answers 503 with Retry-After for the routes of a service that is down, and serves the others', async () => {
    const half = await startHarness();
    await half.services.DataLists.close();
    for (const request of [undefined, post('{}')]) {
      const down = await fetch(`${half.url}/api/data-lists`, request);
      expect(down.status).toBe(503);
      expect(down.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await down.json()).toMatchObject({ errorCode: 'service_unavailable', status: 503 });
    }
    expect((await fetch(`${half.url}/api/forms`)).status).toBe(200);
    await half.close();
  });

  it('says nothing of addresses in its problems', async () => {
    const half = await startHarness();
    const { port } = new URL(half.services.DataLists.url);
    await half.services.DataLists.close();
    const text = await (await fetch(`${half.url}/api/data-lists`)).text();
    expect(text).not.toContain(port);
    expect(text).not.toContain('ECONNREFUSED');
    await half.close();
  });

  it('answers 504 to silence, before and while the answer is expected', async () => {
    hasty.services.Submissions.handler = () => undefined;
    for (const request of [undefined, post('{}'), post('x'.repeat(200_000))]) {
      const silent = await fetch(`${hasty.url}/api/forms`, request);
      expect(silent.status).toBe(504);
      expect(await silent.json()).toMatchObject({ errorCode: 'gateway_timeout' });
    }
  });

  it('ends the request to a silent service', async () => {
    let closed = false;
    hasty.services.Submissions.handler = (request) => request.once('close', () => (closed = true));
    await fetch(`${hasty.url}/api/forms`);
    await eventually(() => closed);
  });

  it('lets a slow answer that keeps coming take longer than the limit', async () => {
    const ticks = 25;
    hasty.services.Submissions.handler = (_request, response) => {
      let left = ticks;
      const timer = setInterval(() => {
        response.write('tick ');
        if (--left === 0) {
          clearInterval(timer);
          response.end('done');
        }
      }, hastyMs / 20);
    };
    const response = await fetch(`${hasty.url}/api/forms`);
    expect(await response.text()).toBe(`${'tick '.repeat(ticks)}done`);
  });

  it('breaks the connection when an answer stops half-way', async () => {
    hasty.services.Submissions.handler = (_request, response) => void response.write('half');
    const response = await fetch(`${hasty.url}/api/forms`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it.each(['Content-Length: 100', 'Transfer-Encoding: chunked'])(
    'never ends an answer cleanly that broke off (%s)',
    async (header) => {
      gateway.services.Submissions.handler = (_request, response) => {
        const [name, value] = header.split(': ') as [string, string];
        response.writeHead(200, { [name]: value });
        response.write('part of it', () => setTimeout(() => response.destroy(), 20));
      };
      const answer = await rawRequest(gateway.port, 'GET /api/forms HTTP/1.1\r\nHost: a\r\n\r\n');
      expect(answer.status).toBe(200);
      expect(answer.body).toContain('part of it');
      expect(answer.body).not.toMatch(/\r\n0\r\n\r\n$/);
    },
  );

  it('resets the connection of an HTTP/1.0 client, for whom a close would be the end of the answer', async () => {
    gateway.services.Submissions.handler = (_request, response) => {
      response.write('part of it', () => setTimeout(() => response.destroy(), 20));
    };
    await expect(rawRequest(gateway.port, 'GET /api/forms HTTP/1.0\r\nHost: a\r\n\r\n')).rejects.toThrow(
      'ECONNRESET',
    );
  });

  it.each(['GET', 'HEAD'])(
    'tries %s a second time when the connection breaks, and only once',
    async (method) => {
      let calls = 0;
      gateway.services.Submissions.handler = (request, response) => {
        calls += 1;
        if (calls === 1) request.socket.destroy();
        else response.end('second');
      };
      const response = await fetch(`${gateway.url}/api/forms`, { method });
      expect(response.status).toBe(200);
      expect(calls).toBe(2);

      gateway.services.Submissions.handler = (request) => {
        calls += 1;
        request.socket.destroy();
      };
      expect((await fetch(`${gateway.url}/api/forms`, { method })).status).toBe(502);
      expect(calls).toBe(4);
    },
  );

  it('never sends a POST twice', async () => {
    let calls = 0;
    gateway.services.Submissions.handler = (request) => {
      calls += 1;
      request.resume().once('end', () => request.socket.destroy());
    };
    const response = await fetch(`${gateway.url}/api/forms`, post('{}'));
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ errorCode: 'bad_gateway' });
    expect(calls).toBe(1);
  });

  it('answers 502 to what is not HTTP', async () => {
    gateway.services.Submissions.handler = (request) => {
      request.socket.end('this is not HTTP\r\n\r\n');
    };
    expect((await fetch(`${gateway.url}/api/forms`, post('{}'))).status).toBe(502);
  });

  it('answers 408 to a client that stops in the middle of its body', async () => {
    hasty.services.Submissions.handler = (request) => void request.resume();
    const head = 'POST /api/forms HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n';
    const answer = await rawRequest(hasty.port, `${head}only this`);
    expect(answer.status).toBe(408);
  });

  it('ends the request to the service when the client goes away', async () => {
    const ended: string[] = [];
    gateway.services.Submissions.handler = (request, response) => {
      response.once('close', () => ended.push(request.url ?? ''));
      if (request.url === '/api/forms/streaming') response.write('first');
    };
    for (const path of ['/api/forms/waiting', '/api/forms/streaming']) {
      const client = connect(gateway.port, '127.0.0.1');
      client.on('error', () => undefined);
      client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await eventually(() => gateway.services.Submissions.seen.includes(`GET ${path}`));
      client.destroy();
      await eventually(() => ended.includes(path));
    }
  });

  it('breaks an upload to the service when the client goes away in the middle', async () => {
    let broken = false;
    gateway.services.Submissions.handler = (request) => {
      request.resume();
      request.once('error', () => (broken = true));
      request.once('end', () => {
        throw new Error('the service took a part for the whole');
      });
    };
    const client = connect(gateway.port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(
      'POST /api/forms/up HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    );
    await eventually(() => gateway.services.Submissions.seen.includes('POST /api/forms/up'));
    client.destroy();
    await eventually(() => broken);
  });

  it('never calls the service for a small body that breaks off', async () => {
    const before = gateway.services.Submissions.seen.length;
    gateway.services.Submissions.handler = (_request, response) => void response.end();
    const client = connect(gateway.port, '127.0.0.1');
    client.write('POST /api/forms HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello');
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.destroy();
    expect((await fetch(`${gateway.url}/api/forms/after`)).status).toBe(200);
    expect(gateway.services.Submissions.seen.slice(before)).toEqual(['GET /api/forms/after']);
  });
});
