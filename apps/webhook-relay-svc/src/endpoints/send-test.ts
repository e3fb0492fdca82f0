import { recordAudit } from '@canvass/audit';
import { webhookEvents, type WebhookMessage } from '@canvass/contracts';
import { notFound, Problem, validationProblem } from '@canvass/errors';
import type { Transactor } from '@canvass/postgres';
import { findTestTarget, insertTest, type TestTargetRow } from './endpoints.sql';

export interface TestRequest {
  tenantId: string;
  endpointId: string;
  /** One of the endpoint's events; by default the first of them. */
  eventName: string | null;
  traceparent: string;
}

/**
 * Makes a delivery of a made-up message for one endpoint and gives its id: signed and sent like any other,
 * once. Its `Payload` holds `isTestEvent: true` and ids of 0.
 *
 * @throws {Problem} not_found; conflict when the endpoint is removed or disabled; validation_failed for an
 * event it does not get
 */
export async function makeTest(
  db: Transactor,
  { tenantId, endpointId, eventName, traceparent }: TestRequest,
): Promise<string> {
  const [target] = await db.query<TestTargetRow>(findTestTarget, [tenantId, endpointId, eventName]);
  if (!target) throw notFound('webhook endpoint', endpointId);
  if (target.is_removed) throw conflict('The endpoint is no longer in the webhook settings.');
  if (target.is_disabled) throw conflict('The endpoint is disabled; enable it first.');
  const kind = Object.values(webhookEvents).find((each) => each.eventName === target.event_name);
  if (!kind)
    throw validationProblem({ eventName: ['must be an event that the settings send to the endpoint'] });
  const formId = target.scope === 'form' ? target.scope_id : '0';
  const ids = {
    form: { formId },
    submission: { submissionId: '0', formId },
    submitter: { submitterId: '0' },
  };
  const message: WebhookMessage = {
    Id: target.message_id,
    EventName: kind.eventName,
    Action: kind.action,
    Payload: {
      ...ids[kind.entity],
      tenantId,
      revision: '0',
      isTestEvent: true,
    },
  };
  return db.transaction(async (tx) => {
    const [made] = await tx.query<{ id: string }>(insertTest, [
      tenantId,
      endpointId,
      message.Id,
      kind.eventName,
      kind.entity,
      kind.action,
      Buffer.from(JSON.stringify(message)),
      target.scope === 'form' ? target.scope_id : null,
      traceparent,
    ]);
    const after = { deliveryId: made!.id };
    await recordAudit(tx, { tenantId, object: ['webhook_endpoint', endpointId], after });
    return made!.id;
  });
}

const conflict = (detail: string) => new Problem('conflict', { detail });
