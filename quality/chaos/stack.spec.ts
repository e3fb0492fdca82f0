import { jobQueueSettings } from './stack';

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
