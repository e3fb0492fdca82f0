import { created, endpoint, type IdempotencyStore } from '../src';
import { closeTestApps, post, problemOf, testApp } from './harness';

afterEach(closeTestApps);

interface Unit {
  db: { name: string };
}

const store: IdempotencyStore<Unit> = {
  unkeyed: { db: { name: 'pool' } },
  once: async (_request, make) => ({
    outcome: 'made',
    answer: (await make({ db: { name: 'transaction' } })).answer,
  }),
};

const calls: string[] = [];
const make = endpoint.write({
  audit: { notRecorded: 'a test' },
  method: 'post',
  path: '/api/things',
  operationId: 'createThing',
  summary: '',
  answers: null,
  access: 'anonymous',
  idempotency: {
    store,
    tenantOf: ({ db }) => `tenant known to the ${db.name}`,
    before: () => Promise.resolve(void calls.push('before')),
  },
  handle({ db }) {
    calls.push(db.name);
    return Promise.resolve(created('/api/things/1', { madeIn: db.name }));
  },
});

beforeEach(() => calls.splice(0));

test('the input of an idempotent write carries the pool without a key, else the transaction', async () => {
  const { url } = await testApp({ endpoints: [make] });
  const plain = await post(`${url}/api/things`, '');
  expect([plain.status, await plain.json()]).toEqual([201, { madeIn: 'pool' }]);
  const keyed = await post(`${url}/api/things`, '', { 'Idempotency-Key': 'x'.repeat(22) });
  expect([keyed.status, await keyed.json()]).toEqual([201, { madeIn: 'transaction' }]);
  expect(calls).toEqual(['before', 'pool', 'before', 'transaction']);
});

test('an error of `before` is the response, and the handler does not run', async () => {
  const failing = endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'post',
    path: '/api/things',
    operationId: 'createThing',
    summary: '',
    answers: null,
    access: 'anonymous',
    idempotency: {
      store,
      tenantOf: () => '1',
      before: () => Promise.reject(new Error('the address is unreachable')),
    },
    handle({ db }) {
      calls.push(db.name);
      return Promise.resolve(created('/api/things/1', {}));
    },
  });
  const { url } = await testApp({ endpoints: [failing] });
  for (const headers of [{}, { 'Idempotency-Key': 'x'.repeat(22) }]) {
    const response = await post(`${url}/api/things`, '', headers);
    expect((await problemOf(response)).errorCode).toBe('internal_error');
  }
  expect(calls).toEqual([]);
});

test('without `idempotency` the input has no database', async () => {
  const plain = endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'post',
    path: '/api/things',
    operationId: 'createThing',
    summary: '',
    answers: null,
    access: 'anonymous',
    handle(input) {
      // @ts-expect-error: only the input of an idempotent write has a database.
      const { db } = input;
      return Promise.resolve(created('/api/things/1', { madeIn: db ?? null }));
    },
  });
  const { url } = await testApp({ endpoints: [plain] });
  expect(await (await post(`${url}/api/things`, '')).json()).toEqual({ madeIn: null });
});
