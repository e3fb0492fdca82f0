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

type PublishRows = (options: { rows: readonly unknown[] }) => Promise<unknown>;

/** A batch is sent newest first, so the events of an entity arrive in the wrong order. */
export const newestFirst =
  (original: PublishRows): PublishRows =>
  (options) =>
    original({ ...options, rows: [...options.rows].reverse() });

interface Leases {
  releaseLost(): Promise<number>;
}
type CreateLeases = (options: unknown) => Leases;

/** Expired leases are never released, so what a killed relay had in flight is not sent again. */
export const keepExpiredLeases =
  (original: CreateLeases): CreateLeases =>
  (options) => ({ ...original(options), releaseLost: () => Promise.resolve(0) });

type RequestHeaders = (message: { body: Buffer }, target: unknown) => unknown;

/** The signature is that of the same JSON with other white space. */
export const signOtherBytes =
  (original: RequestHeaders): RequestHeaders =>
  (message, target) => {
    const body = Buffer.from(JSON.stringify(JSON.parse(message.body.toString('utf8')), null, 1));
    return original({ ...message, body }, target);
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

type FormEventHandler = (...deps: unknown[]) => (message: IncomingMessage) => Promise<Outcome>;

/** The copy of the forms is not repaired after a restore, because the events of a resync are ignored. */
export const ignoreResync =
  (original: FormEventHandler): FormEventHandler =>
  (...deps) => {
    const handle = original(...deps);
    return (message) => {
      const { type } = JSON.parse(message.body.toString('utf8')) as { type: string };
      return type.endsWith('resynced') ? Promise.resolve('ack') : handle(message);
    };
  };
