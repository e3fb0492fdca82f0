import type { Broker } from '@canvass/messaging';

/** The replaced module, as far as the bug is concerned. */
interface Batches {
  dispatchBatch(options: { broker: Pick<Broker, 'publish'> }): Promise<unknown>;
}

/** SEEDED BUG: what the broker returned, refused or never confirmed counts as published. */
export function seed(original: Batches): Batches {
  return {
    dispatchBatch(options) {
      const { broker } = options;
      const credulous: Pick<Broker, 'publish'> = {
        publish: async (messages) => (await broker.publish(messages)).map(() => ({ ok: true })),
      };
      return original.dispatchBatch({ ...options, broker: credulous });
    },
  };
}
