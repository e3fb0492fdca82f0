import { every, type Loop } from '@canvass/async';
import { queues, retryQueueName, retryTiersMs } from '@canvass/contracts';
import { discardMessages } from '@canvass/messaging';
import type { Database } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';
import { splitEvent, textsMember } from '../event-bytes';
import {
  cancelWaiting,
  countOpen,
  eraseLog,
  eraseMessages,
  findOpen,
  finishPass,
  lockEndpoints,
  type OpenErasure,
} from './erasures.sql';

export interface ErasureWorkerDeps {
  db: Database;
  logger: Logger;
  metrics: Metrics;
  brokerUrl: string;
}

const pauseMs = 2_000;
const erasuresAtOnce = 500;
/**
 * An event from before may still be on its way into the tables, and an attempt may bring a response. After
 * so long each is stored, or is dropped by its event id.
 */
const lastPassSeconds = 30;

const person = {
  submitterId: null,
  submitterDisplayId: null,
  submitterProfileSnapshot: null,
  submittedBy: null,
};
const noAnswers = { jsonData: '{}', metadata: '{}', [textsMember]: [] };
/** Members that an attempt does not have stay absent. */
const response = {
  responseBody: '',
  responseHeaders: {},
  responseBodyBase64: null,
  responseTruncated: false,
};

/** The queues that hold the bodies of events for a time. */
const holding = [queues.dead, ...retryTiersMs.map((tier) => retryQueueName(queues.webhookEvents, tier))];

/**
 * Erases the copies of erased submissions: in messages, in stored responses, in waiting deliveries, and in
 * the queues of dead and retried events. Repeats it once, when nothing from before the erasure can be in
 * flight any more. Any number of relays may run it. `wake` it after a new erasure.
 */
export function createErasureWorker({ db, logger, metrics, brokerUrl }: ErasureWorkerDeps): Loop {
  let unfinished = NaN;
  metrics.gauge({
    name: 'webhook_erasures_open',
    help: 'Erased submissions of which the relay still looks for copies.',
    collect: () => unfinished,
  });

  async function pass(): Promise<number | void> {
    unfinished = (await db.query(countOpen()))[0]!.open;
    const open = await db.query(findOpen({ seconds: lastPassSeconds, limit: erasuresAtOnce }));
    if (open.length === 0) return;
    for (const queue of holding) {
      const removed = await discardMessages(brokerUrl, queue, (body) => isErased(body, open));
      if (removed > 0) logger.info({ queue, removed }, 'deleted events of erased submissions');
    }
    const groups = new Map<string, OpenErasure[]>();
    for (const erasure of open) {
      const alike = `${erasure.tenantId} ${erasure.answers} ${erasure.isLast}`;
      groups.set(alike, [...(groups.get(alike) ?? []), erasure]);
    }
    for (const group of groups.values()) await eraseCopies(db, group);
    if (open.length === erasuresAtOnce) return 0;
  }
  return every(pauseMs, pass, {
    atOnce: true,
    onError: (error) => logger.warn({ error }, 'failed to erase copies; trying again'),
  });
}

/** Erases the copies of submissions of one tenant that were erased in the same way. */
async function eraseCopies(db: Database, group: readonly OpenErasure[]): Promise<void> {
  const { tenantId, answers, isLast } = group[0]!;
  const entities = { tenantId, entityIds: group.map(({ entityId }) => entityId) };
  const deletes = answers === 'deleted';
  await db.transaction(async (tx) => {
    if (deletes) {
      await tx.query(lockEndpoints(entities));
      await tx.query(cancelWaiting(entities));
    }
    const members = JSON.stringify(deletes ? { ...person, ...noAnswers } : person);
    await tx.query(eraseMessages({ ...entities, members }));
    await tx.query(eraseLog({ ...entities, members: JSON.stringify(response), deletes }));
    await tx.query(finishPass({ ...entities, isLast }));
  });
}

/** Returns whether the body of a message has data of an erased submission. */
function isErased(body: Buffer, open: readonly OpenErasure[]): boolean {
  try {
    const { id, type, tenantId, entityId } = splitEvent(body).head;
    const from = open.find((erasure) => erasure.tenantId === tenantId && erasure.entityId === entityId);
    return from !== undefined && type !== 'submission.deleted' && BigInt(String(id)) < BigInt(from.eventId);
  } catch {
    return open.some(({ entityId }) => body.includes(entityId)); // not an event, but it may contain one
  }
}
