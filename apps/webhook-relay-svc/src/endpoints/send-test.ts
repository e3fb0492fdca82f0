import { recordAudit } from '@canvass/audit';
import { eventExample, webhookEvents } from '@canvass/contracts';
import { notFound, Problem, validationProblem } from '@canvass/errors';
import type { Transactor } from '@canvass/postgres';
import { messageBody } from '../event-bytes';
import { findTestTarget, insertTest } from './endpoints.sql';

const eventTypes = Object.keys(webhookEvents) as (keyof typeof webhookEvents)[];

/**
 * Makes a delivery of the documents' example for one endpoint and gives its id: signed and sent like any
 * other, once. Its `Payload` holds `isTestEvent: true`, the tenant, and the form of a form's endpoint.
 *
 * @param eventName one of the endpoint's events; null for the first of them
 * @throws {Problem} not_found; conflict when the endpoint is removed or disabled; validation_failed for an
 * event it does not get
 */
export async function makeTest(
  db: Transactor,
  { traceparent, ...asked }: { tenantId: string; id: string; eventName: string | null; traceparent: string },
): Promise<string> {
  const { tenantId, id } = asked;
  const [target] = await db.query(findTestTarget(asked));
  if (!target) throw notFound('webhook endpoint', id);
  if (target.isRemoved) throw conflict('The endpoint is no longer in the webhook settings.');
  if (target.isDisabled) throw conflict('The endpoint is disabled; enable it first.');
  const type = eventTypes.find((each) => webhookEvents[each].eventName === target.eventName);
  if (!type)
    throw validationProblem({ eventName: ['must be an event that the settings send to the endpoint'] });
  const { messageId } = target;
  const { eventName, entity, action } = webhookEvents[type];
  const formId = target.scope === 'form' ? target.scopeId : null;
  const { data, ...example } = eventExample(type);
  const envelope = { ...example, id: messageId, tenantId, formId: formId ?? example.formId };
  const marked = Buffer.from(JSON.stringify({ ...data, isTestEvent: true }));
  const body = Buffer.concat(messageBody(envelope, webhookEvents[type], marked));
  return db.transaction(async (tx) => {
    const test = { tenantId, id, messageId, eventName, entity, action, body, formId, traceparent };
    const [made] = await tx.query(insertTest(test));
    const after = { deliveryId: made!.id };
    await recordAudit(tx, { tenantId, object: ['webhook_endpoint', id], after });
    return made!.id;
  });
}

const conflict = (detail: string) => new Problem('conflict', { detail });
