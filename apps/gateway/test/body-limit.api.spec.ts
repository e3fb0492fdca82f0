import { Readable } from 'node:stream';
import { rawRequest, startHarness, type Harness } from './harness';

describe('body limits', () => {
  let gateway: Harness;
  beforeAll(async () => {
    gateway = await startHarness({
      route: (route) => ({ ...route, bodyLimit: { json: 100_000, rows: 300_000 } }),
    });
    for (const service of Object.values(gateway.services)) {
      service.handler = (request, response) => {
        let bytes = 0;
        request.on('data', (chunk: Buffer) => (bytes += chunk.length));
        request.once('end', () => response.end(String(bytes)));
      };
    }
  });
  afterAll(() => gateway.close());

  const put = (bytes: number, contentType: string, chunked: boolean) =>
    fetch(`${gateway.url}/api/data-lists/1/import`, {
      method: 'PUT',
      headers: { 'content-type': contentType },
      body: chunked
        ? (Readable.toWeb(Readable.from(inPieces(bytes))) as ReadableStream)
        : Buffer.alloc(bytes),
      ...(chunked ? { duplex: 'half' } : {}),
    } as RequestInit);

  it.each([
    ['application/json', 100_000, true],
    ['application/json', 100_001, false],
    ['text/csv; charset=utf-8', 300_000, true],
    ['text/csv; charset=utf-8', 300_001, false],
    ['application/x-ndjson', 300_001, false],
    ['application/json; note=text/csv', 100_001, false],
  ])('%s of %i bytes passes: %s', async (contentType, bytes, passes) => {
    for (const chunked of [false, true]) {
      const response = await put(bytes, contentType, chunked);
      expect(response.status).toBe(passes ? 200 : 413);
      const text = await response.text();
      if (passes) expect(text).toBe(String(bytes));
      else expect(JSON.parse(text)).toMatchObject({ errorCode: 'payload_too_large', status: 413 });
    }
  });

  it('refuses a declared length at once, before the body is sent', async () => {
    const before = gateway.services.Submissions.seen.length;
    const head = 'POST /api/forms HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000000\r\n\r\n';
    const answer = await rawRequest(gateway.port, head);
    expect(answer.status).toBe(413);
    expect(gateway.services.Submissions.seen).toHaveLength(before);
  });

  it('passes empty and small bodies whole', async () => {
    for (const bytes of [0, 1, 65_536, 65_537]) {
      const response = await put(bytes, 'application/json', false);
      expect(await response.text()).toBe(String(bytes));
    }
  });
});

function* inPieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 10_000) yield Buffer.alloc(Math.min(left, 10_000));
}
