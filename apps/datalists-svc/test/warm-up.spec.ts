import { createWarmUp } from '../src/search';

const warnings: string[] = [];
const warmUp = (load: (signal: AbortSignal) => Promise<void>) =>
  createWarmUp({ warmUp: load }, (_, message) => warnings.push(message));
const statusOf = async ({ check }: ReturnType<typeof warmUp>) =>
  (await check.check(new AbortController().signal)).status;

it('is not ready until all data is loaded', async () => {
  let finish: () => void = () => undefined;
  const warming = warmUp(() => new Promise((resolve) => (finish = resolve)));
  expect([warming.check.tags, await statusOf(warming)]).toEqual([['ready'], 'Unhealthy']);
  warming.start();
  expect(await statusOf(warming)).toBe('Unhealthy');
  finish();
  await warming.stop();
  expect(await statusOf(warming)).toBe('Healthy');
});

it('becomes ready when loading fails, and logs the failure', async () => {
  const warming = warmUp(() => Promise.reject(new Error('no database')));
  warming.start();
  await warming.stop();
  expect(await statusOf(warming)).toBe('Healthy');
  expect(warnings.splice(0)).toEqual(['failed to load search data; the first searches will load it']);
});

it('stops loading when the process stops', async () => {
  const warming = warmUp(
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  warming.start();
  await warming.stop();
  expect(await statusOf(warming)).toBe('Healthy');
});
