import { eventually } from '@canvass/testing';
import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { startHarness, type Harness } from './harness';

const MiB = 1024 * 1024;
const pieces = 800;
const piece = Buffer.alloc(64 * 1024, 'canvass,'); // 50 MiB in all

function* manyPieces(): Generator<Buffer> {
  for (let index = 0; index < pieces; index += 1) yield piece;
}

const digest = () => {
  const hash = createHash('sha256');
  for (const chunk of manyPieces()) hash.update(chunk);
  return hash.digest('hex');
};

describe('streaming', () => {
  let gateway: Harness;
  beforeAll(async () => {
    gateway = await startHarness();
  });
  afterAll(() => gateway.close());

  it('carries 50 MiB up, byte for byte, and the answer back', async () => {
    gateway.services.DataLists.handler = (request, response) => {
      const hash = createHash('sha256');
      request.on('data', (chunk: Buffer) => hash.update(chunk));
      request.once('end', () => response.end(hash.digest('hex')));
    };
    const response = await fetch(`${gateway.url}/api/data-lists/1/import`, {
      method: 'PUT',
      headers: { 'content-type': 'text/csv' },
      body: Readable.toWeb(Readable.from(manyPieces())) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(digest());
  });

  it('carries 50 MiB down, byte for byte', async () => {
    gateway.services.DataLists.handler = (_request, response) =>
      void Readable.from(manyPieces()).pipe(response);
    const hash = createHash('sha256');
    const response = await fetch(`${gateway.url}/api/data-lists/1/export`, { method: 'POST' });
    for await (const chunk of response.body!) hash.update(chunk as Uint8Array);
    expect(hash.digest('hex')).toBe(digest());
  });

  it('takes no more from a service than a slow client reads', async () => {
    let written = 0;
    gateway.services.DataLists.handler = (_request, response) => {
      const source = Readable.from(manyPieces());
      source.on('data', (chunk: Buffer) => (written += chunk.length));
      source.pipe(response);
    };
    const before = process.memoryUsage();
    const answer = await new Promise<IncomingMessage>((resolve) => {
      httpRequest(`${gateway.url}/api/data-lists/1/export`, { method: 'POST' }, resolve).end();
    });
    // The client does not read: the transfer must stop when the buffers are full.
    const atRest = await standsStill(() => written);
    expect(atRest).toBeLessThan(20 * MiB);
    const { arrayBuffers } = process.memoryUsage();
    expect(arrayBuffers - before.arrayBuffers).toBeLessThan(20 * MiB);

    let read = 0;
    for await (const chunk of answer) read += (chunk as Buffer).length;
    expect(read).toBe(pieces * piece.length);
  });

  it('takes no more from a client than a slow service reads', async () => {
    let startReading = () => undefined as void;
    let read = 0;
    gateway.services.DataLists.handler = (request, response) => {
      startReading = () => {
        request.on('data', (chunk: Buffer) => (read += chunk.length));
        request.once('end', () => response.end());
      };
    };
    let sent = 0;
    const source = Readable.from(manyPieces());
    source.on('data', (chunk: Buffer) => (sent += chunk.length));
    const headers = { 'content-type': 'application/x-ndjson', 'content-length': pieces * piece.length };
    const done = new Promise<number>((resolve, reject) => {
      const upload = httpRequest(
        `${gateway.url}/api/data-lists/1/import`,
        { method: 'PUT', headers },
        (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        },
      );
      upload.once('error', reject);
      source.pipe(upload);
    });
    expect(await standsStill(() => sent)).toBeLessThan(20 * MiB);
    startReading();
    expect(await done).toBe(200);
    expect(read).toBe(pieces * piece.length);
  });

  it('gives the head of an answer before its body begins', async () => {
    let finish = () => undefined as void;
    gateway.services.DataLists.handler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).flushHeaders();
      finish = () => void response.end('value,default');
    };
    const response = await fetch(`${gateway.url}/api/data-lists/1/export`, { method: 'POST' });
    expect(response.headers.get('content-type')).toBe('text/csv');
    finish();
    expect(await response.text()).toBe('value,default');
  });

  it('passes on an early refusal while the client is still sending', async () => {
    gateway.services.DataLists.handler = (_request, response) => {
      response.writeHead(401).end('no');
    };
    const response = await fetch(`${gateway.url}/api/data-lists/1/import`, {
      method: 'PUT',
      headers: { 'content-type': 'text/csv' },
      body: Buffer.alloc(8 * MiB),
    });
    expect(response.status).toBe(401);
  });
});

/** Waits until a counter that has moved stands still for a while, and gives its value. */
async function standsStill(counter: () => number): Promise<number> {
  let last = -1;
  let since = Date.now();
  await eventually(() => {
    const now = counter();
    if (now !== last) {
      last = now;
      since = Date.now();
    }
    return now > 0 && Date.now() - since > 400;
  });
  return last;
}
