import { jobQueueSettings, jobQueueOfSeed } from './stack-settings';

it('draws job queues on for half of the seeds, off and mixed for a quarter each', () => {
  const drawn = Array.from({ length: 400 }, (_, n) => jobQueueOfSeed(`seed ${n}`));
  const times = (mode: string) => drawn.filter((each) => each === mode).length;
  expect(times('on')).toBeGreaterThan(160);
  expect(times('on')).toBeLessThan(240);
  for (const mode of ['off', 'mixed']) {
    expect(times(mode)).toBeGreaterThan(60);
    expect(times(mode)).toBeLessThan(140);
  }
  expect(jobQueueOfSeed('a')).toBe(jobQueueOfSeed('a'));
});

it.each([
  ['on', 'true', 'true'],
  ['off', 'false', 'false'],
  ['mixed', 'true', 'false'],
] as const)('sets %s for both relays', (mode, first, second) => {
  expect(jobQueueSettings(mode)).toEqual({
    'webhook-relay-svc': { Service__Outbox__DeliverToJobQueue: first },
    'webhook-relay-svc-2': { Service__Outbox__DeliverToJobQueue: second },
  });
});
