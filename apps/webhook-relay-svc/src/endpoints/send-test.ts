import { recordAudit } from '@canvass/audit';
import { webhookEvents, type WebhookMessage } from '@canvass/contracts';
import { notFound, Problem, validationProblem } from '@canvass/errors';
import type { Transactor } from '@canvass/postgres';
import { findTestTarget, insertTest } from './endpoints.sql';

/**
 * Makes a delivery of a made-up message for one endpoint and gives its id: signed and sent like any other,
 * once. Its `Payload` holds `isTestEvent: true` and ids of 0.
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
  const kind = Object.values(webhookEvents).find((each) => each.eventName === target.eventName);
  if (!kind)
    throw validationProblem({ eventName: ['must be an event that the settings send to the endpoint'] });
  const { messageId } = target;
  const { eventName, entity, action } = kind;
  const formId = target.scope === 'form' ? target.scopeId : null;
  const ids = {
    form: { formId: formId ?? '0' },
    submission: { submissionId: '0', formId: formId ?? '0' },
    submitter: { submitterId: '0' },
  };
  const message: WebhookMessage = {
    Id: messageId,
    EventName: eventName,
    Action: action,
    Payload: { ...ids[entity], tenantId, revision: '0', isTestEvent: true },
  };
  const body = Buffer.from(JSON.stringify(message));
  return db.transaction(async (tx) => {
    const test = { tenantId, id, messageId, eventName, entity, action, body, formId, traceparent };
    const [made] = await tx.query(insertTest(test));
    const after = { deliveryId: made!.id };
    await recordAudit(tx, { tenantId, object: ['webhook_endpoint', id], after });
    return made!.id;
  });
}

const conflict = (detail: string) => new Problem('conflict', { detail });
