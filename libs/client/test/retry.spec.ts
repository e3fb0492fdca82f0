import { createCanvass } from '../src';
import { answer, hangUp, serverOf } from './receiver';

let server: Awaited<ReturnType<typeof serverOf>>;
afterEach(() => server.close());

const clientOf = () => createCanvass({ baseUrl: server.url, retry: { firstDelayMs: 1 } });
const create = (headers: Record<string, string> = {}) =>
  clientOf().POST('/api/forms', { body: { name: 'Feedback' }, headers });

it('repeats a read until it is answered', async () => {
  server = await serverOf(hangUp, answer(503), answer(502), answer(200, { items: [] }));
  const { response } = await clientOf().GET('/api/forms');
  expect(response.status).toBe(200);
  expect(server.received).toHaveLength(4);
});

it('returns the last response when all attempts fail', async () => {
  server = await serverOf(answer(503, { errorCode: 'service_unavailable' }));
  const { response, error } = await clientOf().GET('/api/forms');
  expect([response.status, error?.errorCode]).toEqual([503, 'service_unavailable']);
  expect(server.received).toHaveLength(4);
});

it('sends a create once, unless it has a key', async () => {
  server = await serverOf(answer(503), answer(201, { id: '1' }));
  expect((await create()).response.status).toBe(503);
  await server.close();
  server = await serverOf(hangUp, answer(503), answer(201, { id: '1' }));
  expect((await create({ 'idempotency-key': 'a' })).data).toEqual({ id: '1' });
  expect(server.received.map(({ body }) => JSON.parse(body) as object)).toEqual(
    Array(3).fill({ name: 'Feedback' }),
  );
  expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['a', 'a', 'a']);
});

it('throws when a connection breaks that must not be repeated', async () => {
  server = await serverOf(hangUp);
  await expect(create()).rejects.toThrow('fetch failed');
  expect(server.received).toHaveLength(1);
});

it('repeats any request after a 429, when `Retry-After` says', async () => {
  const started = Date.now();
  server = await serverOf(answer(429, {}, { 'retry-after': '1' }), answer(201, { id: '1' }));
  expect((await create()).response.status).toBe(201);
  expect(Date.now() - started).toBeGreaterThanOrEqual(950);
});

it('returns a response that asks for a longer wait', async () => {
  server = await serverOf(answer(429, {}, { 'retry-after': '3600' }));
  expect((await clientOf().GET('/api/forms')).response.status).toBe(429);
  expect(server.received).toHaveLength(1);
});

it('repeats nothing if told so, and no other errors', async () => {
  server = await serverOf(answer(503));
  await createCanvass({ baseUrl: server.url, retry: false }).GET('/api/forms');
  expect(server.received).toHaveLength(1);
  await server.close();
  server = await serverOf(answer(500));
  await clientOf().GET('/api/forms');
  expect(server.received).toHaveLength(1);
});

it('ends the wait with the signal of the request', async () => {
  server = await serverOf(answer(429, {}, { 'retry-after': '20' }));
  const signal = AbortSignal.timeout(200);
  await expect(clientOf().GET('/api/forms', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
});
