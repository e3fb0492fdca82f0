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
        audit: { notRecorded: 'a test' },
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

describe('faults of bodies with more than 5,000 values', () => {
  test('hundreds of thousands of faults are a 400 that names the first field and its rule', async () => {
    const text = `{"name":"a","items":[${'{},'.repeat(300_000)}{}]}`;
    const answer = await post(await url(), text);
    expect(answer.status).toBe(400);
    expect((await problemOf(answer)).errors).toEqual({ 'items[0].value': ['is required'] });
  });

  test('a fault at a high index is found, with its own index', async () => {
    const items: unknown[] = Array.from({ length: 20_000 }, (_, index) => good(index));
    items[15_000] = { value: 'x', labels: { en: 'too long' } };
    expect(await errorsOf({ name: 'a', items })).toEqual({
      'items[15000].labels.en': ['must be at most 5 characters long'],
    });
  });

  test('a large map with one wrong member', async () => {
    const labels = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`k${index}`, 'x']));
    labels['k8888'] = 'too long';
    expect(Object.keys(await errorsOf({ name: 'a', items: [{ value: 'v', labels }, good(1)] }))).toEqual([
      'items[0].labels.k8888',
    ]);
  });

  test('a large valid body reaches the handler', async () => {
    expect(
      (await send({ name: 'a', items: Array.from({ length: 20_000 }, (_, index) => good(index)) })).status,
    ).toBe(200);
  });
});

test('a smaller body gets a 400 that names its first hundred faults', async () => {
  const errors = Object.keys(await errorsOf({ name: 'a', items: Array.from({ length: 1000 }, () => ({})) }));
  expect(errors).toHaveLength(100);
  expect(errors.slice(0, 2)).toEqual(['items[0].value', 'items[0].labels']);
});
