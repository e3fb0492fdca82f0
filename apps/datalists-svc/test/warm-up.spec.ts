import { createWarmUp } from '../src/search';

const warnings: string[] = [];
const warmUp = (load: (signal: AbortSignal) => Promise<void>) =>
  createWarmUp({ warmUp: load }, (_, message) => warnings.push(message));
const statusOf = async ({ check }: ReturnType<typeof warmUp>) =>
  (await check.check(new AbortController().signal)).status;

it('keeps the process from being ready until all is loaded', async () => {
  let finish: () => void = () => undefined;
  const warming = warmUp(() => new Promise((resolve) => (finish = resolve)));
  expect([warming.check.tags, await statusOf(warming)]).toEqual([['ready'], 'Unhealthy']);
  warming.start();
  expect(await statusOf(warming)).toBe('Unhealthy');
  finish();
  await warming.stop();
  expect(await statusOf(warming)).toBe('Healthy');
});

it('lets the process be ready when loading fails, and says that it did', async () => {
  const warming = warmUp(() => Promise.reject(new Error('no database')));
  warming.start();
  await warming.stop();
  expect(await statusOf(warming)).toBe('Healthy');
  expect(warnings.splice(0)).toEqual(['what searches need was not loaded; the first searches load it']);
});

it('ends the loading when the process stops', async () => {
  const warming = warmUp(
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  warming.start();
  await warming.stop();
  expect(await statusOf(warming)).toBe('Healthy');
});
