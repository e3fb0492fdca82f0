import { Problem } from '@canvass/errors';
import { eventually } from '@canvass/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { streamed, type Answer, type Endpoint, type EndpointInput } from '../src';
import { closeTestApps, problemOf, testApp } from './harness';

afterEach(closeTestApps);

const get = (
  path: string,
  handle: (input: EndpointInput) => Promise<Answer>,
  extra: Partial<Endpoint> = {},
): Endpoint => ({
  method: 'get',
  path,
  kind: 'read',
  operationId: `get ${path}`,
  summary: '',
  answers: null,
  access: 'anonymous',
  handle,
  ...extra,
});

describe('errors', () => {
  const failing = (error: unknown) => get('/api/fail', () => Promise.reject(error as Error));

  test('an unknown error is a 500 without details, and one log line with all details', async () => {
    const { url, lines } = await testApp({
      endpoints: [failing(new Error('relation "secret" does not exist'))],
    });
    const answer = await fetch(`${url}/api/fail`);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toMatch(/secret|relation|stack|\.ts/);
    expect(JSON.parse(text)).toMatchObject({
      errorCode: 'internal_error',
      traceId: answer.headers.get('x-request-id'),
    });
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({
      level: 'error',
      status: 500,
      error: { message: expect.stringContaining('relation') as string },
    });
  });

  test('a problem with a header that cannot be sent ends the connection, and is logged', async () => {
    const problem = new Problem('conflict', { headers: { 'X-Reason': 'two\nlines' } });
    const { url, lines } = await testApp({ endpoints: [failing(problem)] });
    await expect(fetch(`${url}/api/fail`)).rejects.toThrow();
    await eventually(() => expect(lines).toMatchObject([{ level: 'error', aborted: true }]));
    expect((await fetch(`${url}/api/none`)).status).toBe(404);
  });

  test.each([undefined, null, 'text', 5])('throwing %p is also a 500', async (value) => {
    const { url } = await testApp({ endpoints: [failing(value)] });
    expect((await fetch(`${url}/api/fail`)).status).toBe(500);
  });

  test('a problem keeps its code, extra members and headers', async () => {
    const problem = new Problem('submission_already_exists', {
      detail: 'There is one.',
      extra: { existingId: '7', status: 1, errorCode: 'fake' },
      headers: { 'Retry-After': '3' },
    });
    const { url } = await testApp({ endpoints: [failing(problem)] });
    const answer = await fetch(`${url}/api/fail`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '3']);
    expect(await problemOf(answer)).toMatchObject({
      existingId: '7',
      status: 409,
      errorCode: 'submission_already_exists',
    });
  });

  test('mapError converts errors of libraries to problems', async () => {
    const { url } = await testApp({
      endpoints: [failing(Object.assign(new Error('dup'), { code: '23505' }))],
      mapError: (error) => ((error as { code?: string }).code === '23505' ? new Problem('conflict') : null),
    });
    expect((await fetch(`${url}/api/fail`)).status).toBe(409);
  });

  test('an error after the first byte aborts the transfer', async () => {
    const half = get('/api/half', () =>
      Promise.resolve(
        streamed('text/csv', (response) => {
          response.write('value,default\r\n');
          return delay(20).then(() => {
            throw new Error('the query died');
          });
        }),
      ),
    );
    const { url, lines } = await testApp({ endpoints: [half] });
    const answer = await fetch(`${url}/api/half`);
    await expect(answer.text()).rejects.toThrow();
    await eventually(() => expect(lines[0]).toMatchObject({ level: 'error', aborted: true }));
  });

  test('a client that disconnects aborts the signal, and no 500 is logged', async () => {
    let aborted = false;
    const slow = get('/api/slow', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted = true;
      throw new Error('query cancelled');
    });
    const { url, lines } = await testApp({ endpoints: [slow] });
    const abort = new AbortController();
    const answer = fetch(`${url}/api/slow`, { signal: abort.signal });
    await delay(100);
    abort.abort();
    await expect(answer).rejects.toThrow();
    await eventually(() => lines.length > 0);
    expect(aborted).toBe(true);
    expect(lines[0]).toMatchObject({ status: 499, level: 'info', aborted: true });
    expect(lines[0]).not.toHaveProperty('error');
  });
});
