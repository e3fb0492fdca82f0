import * as original from '../../../libs/outbox/src/batch';

type Options = Parameters<typeof original.dispatchBatch>[0];

/** SEEDED BUG: what the broker returned, refused or never confirmed counts as published. */
export function dispatchBatch(options: Options): Promise<original.BatchResult> {
  const { broker } = options;
  const credulous: Options['broker'] = {
    publish: async (messages) => (await broker.publish(messages)).map(() => ({ ok: true })),
  };
  return original.dispatchBatch({ ...options, broker: credulous });
}
