import { endpoint, ok } from '../src';
import { closeTestApps, testApp } from './harness';

afterEach(closeTestApps);

const read = (path: string, characters: number, extras?: { etag: string }) =>
  endpoint.read({
    method: 'get',
    path,
    operationId: path.slice(1),
    summary: '',
    answers: null,
    access: 'anonymous',
    handle: () => Promise.resolve(ok({ text: 'a'.repeat(characters) }, extras)),
  });

async function ask(path: string, acceptEncoding: string, method = 'GET') {
  const { url } = await testApp({
    endpoints: [
      read('/large', 10_000),
      read('/huge', 300_000),
      read('/small', 1_000),
      read('/tagged', 10_000, { etag: '7' }),
    ],
  });
  const answer = await fetch(url + path, { method, headers: { 'accept-encoding': acceptEncoding } });
  const { headers } = answer;
  return {
    encoding: headers.get('content-encoding'),
    vary: headers.get('vary'),
    bytes: Number(headers.get('content-length')),
    text: await answer.text(),
  };
}

const json = (characters: number) => JSON.stringify({ text: 'a'.repeat(characters) });

describe('a large answer', () => {
  it.each(['gzip', 'br, gzip;q=0.8', '*'])('is compressed for Accept-Encoding: %s', async (accepted) => {
    const { encoding, vary, bytes, text } = await ask('/large', accepted);
    expect([encoding, vary, text]).toEqual(['gzip', 'Accept-Encoding', json(10_000)]);
    expect(bytes).toBeLessThan(1_000);
  });

  it.each(['identity', 'br', 'gzip;q=0'])('stays as it is for Accept-Encoding: %s', async (accepted) => {
    const { encoding, vary, bytes, text } = await ask('/large', accepted);
    expect([encoding, vary, text]).toEqual([null, 'Accept-Encoding', json(10_000)]);
    expect(bytes).toBe(json(10_000).length);
  });

  it('of more than 256 KiB is compressed, too', async () => {
    const { encoding, bytes, text } = await ask('/huge', 'gzip');
    expect([encoding, text]).toEqual(['gzip', json(300_000)]);
    expect(bytes).toBeLessThan(10_000);
  });

  it('has the same length for HEAD', async () => {
    const [head, get] = [await ask('/large', 'gzip', 'HEAD'), await ask('/large', 'gzip')];
    expect([head.encoding, head.bytes]).toEqual([get.encoding, get.bytes]);
  });

  it('with an ETag stays as it is: a strong tag names one encoding', async () => {
    const { encoding, text } = await ask('/tagged', 'gzip');
    expect([encoding, text]).toEqual([null, json(10_000)]);
  });
});

it('a small answer stays as it is', async () => {
  const { encoding, vary, text } = await ask('/small', 'gzip');
  expect([encoding, vary, text]).toEqual([null, null, json(1_000)]);
});
