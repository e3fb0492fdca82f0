import type { WebhookMessage } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import { readBounded, type Database, type Queryable } from '@canvass/postgres';
import { allDeliveries, findMessage, type DeliveryView, type MessageRow } from './log.sql';

/** One message as the API shows it, with its deliveries. */
export interface MessageView extends Omit<MessageRow, 'body' | 'traceparent'> {
  entityId: string;
  formId: string | null;
  isTest: boolean;
  /** The trace of the request that made the change; null if it is not known. */
  traceId: string | null;
  messageBody: string;
  deliveries: DeliveryView[];
}

/** Most deliveries of a message that are shown. */
export const maxDeliveries = 1_000;

/** The ids that a message contains. */
export interface MessageIds {
  /** `0` for a test. */
  entityId: string;
  formId: string | null;
}

/** The ids in the body of a message, as its deliveries have them. */
function idsOf({ entity, body }: Pick<MessageRow, 'entity' | 'body'>): MessageIds {
  const { Payload: payload } = JSON.parse(body.toString('utf8')) as WebhookMessage;
  // The ids of a test are those of an example.
  if (payload['isTestEvent'] === true) return { entityId: '0', formId: null };
  const { [`${entity}Id`]: entityId = '0', formId = null } = payload as Record<string, string>;
  return { entityId, formId };
}

/** The entity of a message; undefined if the message is not kept. */
export async function findEntityOf(
  db: Queryable,
  tenantId: string,
  messageId: string,
): Promise<string | undefined> {
  const [row] = await db.query(findMessage({ tenantId, id: messageId }));
  return row && idsOf(row).entityId;
}

/** @throws {Problem} not_found; `query_too_broad` after 5 s */
export async function readMessage(db: Database, tenantId: string, id: string): Promise<MessageView> {
  return readBounded(db, 'Try again later: many deliveries wait.', async (tx) => {
    const [row] = await tx.query(findMessage({ tenantId, id }));
    if (!row) throw notFound('webhook message', id);
    const { body, traceparent, ...message } = row;
    const ids = idsOf(row);
    const ofIt = { tenantId, messageId: id, messageEntityId: ids.entityId };
    return {
      ...message,
      ...ids,
      isTest: ids.entityId === '0',
      traceId: traceparent === null ? null : traceparent.slice(3, 35),
      messageBody: body.toString('utf8'),
      deliveries: await tx.run<DeliveryView>(allDeliveries(ofIt, maxDeliveries)),
    };
  });
}
