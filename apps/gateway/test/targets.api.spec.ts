import { rawRequest, startHarness, type Harness } from './harness';

/**
 * Spellings that some proxy and some server somewhere read differently. None may reach anything but a listed
 * path.
 */
const spellings = [
  '/internal/tenants/1/webhook-settings/form/2/versions/3',
  '/metrics',
  '/ready/../internal',
  '/api/forms/../../internal/x',
  '/api/forms/..',
  '/api/forms/./x',
  '/api/forms/%2e%2e/%2e%2e/internal/x',
  '/api/forms/%2E%2e/internal',
  '/api/forms/.%2e/internal',
  '/api/forms/%2e',
  '/api/forms/..%2finternal',
  '/api/forms/..%5cinternal',
  '/api/forms/..\\internal',
  '/api/forms/%252e%252e/internal',
  '/api/forms/%252e%252e%252finternal',
  '/api/forms/..;/internal',
  '/api/forms/..;a=b/internal',
  '/api/forms/%2e%2e;/internal',
  '/api/forms/x%2f..%2f..%2finternal',
  '//internal/x',
  '///internal/x',
  '//api/forms',
  '/api//forms',
  '/api/forms//1',
  '/./internal',
  '/%69nternal/x',
  '/%2e/metrics',
  '/api/%66orms',
  '/API/forms',
  '/api/forms/%00',
  '/api/forms/%0d%0aX-Injected:1',
  '/api/forms/%',
  '/api/forms/%2',
  '/api/forms/%zz',
  '/api/forms/%c0%ae%c0%ae/internal',
  '/api/forms/%ff',
  '/api/forms/\x80',
  '/api/forms/{x}',
  '/api/forms/<x>',
  '/api/forms#/../../internal',
  '/api/forms?x#y',
  'http://127.0.0.1/internal/x',
  'http://other.example/metrics',
  'http://other.example/api/forms/../internal',
  'http://other.example',
  'ftp://x/api/forms',
  'internal/x',
  '*',
  'api/forms',
];

const smuggled: Record<string, string> = {
  'two lengths': 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  'a length and chunks':
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /internal HTTP/1.1\r\n\r\n',
  'an unknown encoding': 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'chunked not last': 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'a negative length': 'Content-Length: -1\r\n\r\n',
  'a length with a sign': 'Content-Length: +5\r\n\r\nhello',
  'a folded header': 'X-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n',
  'a space before the colon': 'Content-Length : 5\r\n\r\nhello',
  'a wrong chunk size': 'Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n',
  'a list of lengths': 'Content-Length: 5, 5\r\n\r\nhello',
  'a hexadecimal length': 'Content-Length: 0x5\r\n\r\nhello',
  'a length of more than 64 bits': 'Content-Length: 18446744073709551621\r\n\r\nhello',
  'two encodings': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n',
  'an encoding behind a vertical tab': 'Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n',
  'a null in a header': 'X-A: 1\0\r\nContent-Length: 5\r\n\r\nhello',
  'a bare carriage return': 'X-A: 1\rContent-Length: 5\r\n\r\nhello',
  'a line feed in a chunk extension': 'Transfer-Encoding: chunked\r\n\r\n5;a\nhello\r\n0\r\n\r\n',
  'a chunk size of more than 64 bits':
    'Transfer-Encoding: chunked\r\n\r\n10000000000000005\r\nhello\r\n0\r\n\r\n',
  'a chunk longer than it says':
    'Transfer-Encoding: chunked\r\n\r\n2\r\nhelloGET /internal HTTP/1.1\r\n\r\n0\r\n\r\n',
  'a bare line feed': 'X-A: 1\nContent-Length: 5\r\n\r\nhello',
};

describe('request targets', () => {
  let gateway: Harness;
  beforeAll(async () => {
    gateway = await startHarness();
  });
  afterAll(() => gateway.close());

  const seen = () => Object.values(gateway.services).flatMap((service) => service.seen);

  it.each(spellings)('keeps %j from every service', async (target) => {
    const before = seen().length;
    const answer = await rawRequest(
      gateway.port,
      `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect([400, 404]).toContain(answer.status);
    expect(seen()).toHaveLength(before);
  });

  it.each(Object.entries(smuggled))('refuses %s', async (_name, rest) => {
    const before = seen().filter((line) => line.includes('internal')).length;
    const answer = await rawRequest(
      gateway.port,
      `POST /api/forms HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest}`,
    );
    expect(answer.status).toBe(400);
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(seen().filter((line) => line.includes('internal'))).toHaveLength(before);
  });

  it.each([
    ['/api/forms/', '/api/forms/'],
    ['/api/forms/1/submissions/by-token/a-b_c.d~e', '/api/forms/1/submissions/by-token/a-b_c.d~e'],
    ['/api/forms/caf%C3%A9', '/api/forms/caf%C3%A9'],
    ['/api/forms?search=%2e%2e%2f&x=../..', '/api/forms?search=%2e%2e%2f&x=../..'],
    ['http://api.example.org/api/forms?x=1', '/api/forms?x=1'],
    ['/api/forms/...', '/api/forms/...'],
  ])('passes %s on as it is', async (target, path) => {
    const answer = await rawRequest(
      gateway.port,
      `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    expect(gateway.services.Submissions.seen.at(-1)).toBe(`GET ${path}`);
  });

  it('answers headers over 16 KiB with 431', async () => {
    const answer = await rawRequest(
      gateway.port,
      `GET /api/forms HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(431);
  });
});
