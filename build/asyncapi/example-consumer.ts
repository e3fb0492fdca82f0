import type { ExampleConsumer } from './document';

/** The declarations of `examples/consumer.mjs`; a spec holds the two together. */
export const exampleConsumer: ExampleConsumer = {
  queue: 'example.data-list-counts',
  arguments: {
    'x-queue-type': 'quorum',
    'x-delivery-limit': 20,
    'x-max-length': 100_000,
    'x-overflow': 'drop-head',
  },
  routingKeys: ['datalist.*'],
};
