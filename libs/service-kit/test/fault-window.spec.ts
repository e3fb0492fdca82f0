import Joi from 'joi';
import { endpoint, ok } from '../src';
import { closeTestApps, post, problemOf, testApp } from './harness';

afterEach(closeTestApps);

const body = Joi.object({
  name: Joi.string().required(),
  items: Joi.array()
    .min(2)
    .items(
      Joi.object({
        value: Joi.string().required(),
        labels: Joi.object().pattern(Joi.string(), Joi.string().max(5)).required(),
      }),
    ),
});

const url = async () => {
  const { url } = await testApp({
    endpoints: [
      endpoint.write({
        method: 'post',
        path: '/api/import',
        operationId: 'import',
        summary: '',
        answers: null,
        access: 'anonymous',
        body,
        bodyLimit: '16mb',
        handle: () => Promise.resolve(ok('fine')),
      }),
    ],
  });
  return `${url}/api/import`;
};

const good = (index: number) => ({ value: `v${index}`, labels: { default: 'x' } });
const send = async (value: unknown) => post(await url(), JSON.stringify(value));
const errorsOf = async (value: unknown) => (await problemOf(await send(value))).errors ?? {};

describe('faults of large bodies', () => {
  test('hundreds of thousands of faults are a 400 with the first hundred', async () => {
    const text = `{"name":"a","items":[${'{},'.repeat(300_000)}{}]}`;
    const answer = await post(await url(), text);
    expect(answer.status).toBe(400);
    const errors = Object.keys((await problemOf(answer)).errors ?? {});
    expect(errors).toHaveLength(100);
    expect(errors.slice(0, 2)).toEqual(['items[0].value', 'items[0].labels']);
  });

  test('a fault at a high index is found, with its index and the following faults', async () => {
    const items: unknown[] = Array.from({ length: 20_000 }, (_, index) => good(index));
    items[15_000] = { value: 1, labels: {} };
    items[15_003] = { value: 'x', labels: { en: 'too long' } };
    expect(await errorsOf({ name: 'a', items })).toEqual({
      'items[15000].value': ['must be a string'],
      'items[15003].labels.en': ['must be at most 5 characters long'],
    });
  });

  test('faults beside the list are also reported', async () => {
    const items: unknown[] = Array.from({ length: 20_000 }, (_, index) => good(index));
    items[1] = {};
    expect(Object.keys(await errorsOf({ items, odd: 1 })).sort()).toEqual([
      'items[1].labels',
      'items[1].value',
      'name',
      'odd',
    ]);
  });

  test('a large map with one wrong member', async () => {
    const labels = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`k${index}`, 'x']));
    labels['k8888'] = 'too long';
    expect(Object.keys(await errorsOf({ name: 'a', items: [{ value: 'v', labels }, good(1)] }))).toEqual([
      'items[0].labels.k8888',
    ]);
  });

  test('a list of lists of faults', async () => {
    const text = `{"name":"a","items":[${`{"value":"v","labels":{${Array.from({ length: 60 }, (_, i) => `"k${i}":"too long"`).join()}}},`.repeat(2000)}{}]}`;
    expect(Object.keys((await problemOf(await post(await url(), text))).errors ?? {})).toHaveLength(100);
  });

  test('a large valid body reaches the handler', async () => {
    expect(
      (await send({ name: 'a', items: Array.from({ length: 20_000 }, (_, index) => good(index)) })).status,
    ).toBe(200);
  });
});
