import type { IncomingMessage, Outcome } from '@canvass/messaging';

/**
 * Bugs that the harness must find. Each function replaces an export of a product module in a build of its
 * own; its parameter is the original. The types show only what the bug needs.
 */

type HandleEvents = (deps: unknown) => (message: IncomingMessage) => Promise<Outcome>;

/** The message is acked at once. Its deliveries are committed later, or never. */
export const ackBeforeCommit =
  (original: HandleEvents): HandleEvents =>
  (deps) => {
    const handle = original(deps);
    return (message) => {
      handle(message).catch(() => undefined);
      return Promise.resolve('ack');
    };
  };

interface Publisher {
  publish(messages: readonly unknown[]): Promise<unknown[]>;
}
type PublishBatch = (options: { broker: Publisher }) => Promise<unknown>;

/** What the broker returned, refused or never confirmed counts as published. */
export const dropReturned =
  (original: PublishBatch): PublishBatch =>
  (options) => {
    const publish: Publisher['publish'] = async (messages) =>
      (await options.broker.publish(messages)).map(() => ({ ok: true }));
    return original({ ...options, broker: { publish } });
  };

interface Claimed {
  found: { id: string; lane: number }[];
}
type ClaimRows = (...args: unknown[]) => Promise<Claimed>;

/**
 * Skips rows below the highest id seen in a lane, so that a row that commits late with a lower id is never
 * read.
 */
export const cursorById = (original: ClaimRows): ClaimRows => {
  const cursors = new Map<number, bigint>();
  return async (...args) => {
    const claimed = await original(...args);
    const unseen = claimed.found.filter(({ id, lane }) => BigInt(id) > (cursors.get(lane) ?? 0n));
    for (const { id, lane } of unseen) cursors.set(lane, BigInt(id));
    return { ...claimed, found: unseen };
  };
};
