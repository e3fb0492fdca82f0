import { recordAudit } from '@canvass/audit';
import {
  eventExample,
  webhookAlert,
  webhookAlertExample,
  webhookEvents,
  type WebhookAlert,
} from '@canvass/contracts';
import { notFound, Problem, validationProblem } from '@canvass/errors';
import type { Transactor, Tx } from '@canvass/postgres';
import { messageBody } from '../event-bytes';
import { findTestTarget, insertTest, type TestTarget } from './endpoints.sql';

const eventTypes = Object.keys(webhookEvents) as (keyof typeof webhookEvents)[];

/**
 * Makes a delivery of the documents' example for one endpoint and gives its id: signed and sent like any
 * other, once. Its `Payload` holds `isTestEvent: true`, the tenant, and the form of a form's endpoint.
 *
 * @param eventName one of the endpoint's events; null for the first of them
 * @throws {Problem} not_found; conflict when the endpoint is removed or disabled; validation_failed for an
 * event it does not get
 */
export function makeTest(db: Transactor, asked: AskedTest): Promise<string> {
  const { tenantId, id } = asked;
  return db.transaction(async (tx) => {
    const deliveryId = await putTest(tx, asked);
    await recordAudit(tx, { tenantId, object: ['webhook_endpoint', id], after: { deliveryId } });
    return deliveryId;
  });
}

interface AskedTest {
  tenantId: string;
  id: string;
  eventName: string | null;
  traceparent: string;
}

/** The same within a transaction, whose caller records it. */
export async function putTest(tx: Tx, { traceparent, ...asked }: AskedTest): Promise<string> {
  const { tenantId, id } = asked;
  const [target] = await tx.query(findTestTarget(asked));
  if (!target) throw notFound('webhook endpoint', id);
  if (target.isRemoved) throw conflict('The endpoint is no longer in the webhook settings.');
  if (target.isDisabled) throw conflict('The endpoint is disabled; enable it first.');
  const { messageId } = target;
  const message = exampleFor(tenantId, target);
  const [made] = await tx.query(insertTest({ tenantId, id, messageId, traceparent, ...message }));
  return made!.id;
}

/**
 * The documents' example of an event with `isTestEvent: true`.
 *
 * @throws {Problem} validation_failed without an event
 */
export function exampleFor(
  tenantId: string,
  {
    scope,
    scopeId,
    eventName: asked,
    messageId,
  }: Pick<TestTarget, 'scope' | 'scopeId' | 'eventName' | 'messageId'>,
) {
  if (asked === webhookAlert.eventName) return alertTest(messageId);
  const type = eventTypes.find((each) => webhookEvents[each].eventName === asked);
  if (!type)
    throw validationProblem({ eventName: ['must be an event that the settings send to the endpoint'] });
  const { eventName, entity, action } = webhookEvents[type];
  const formId = scope === 'form' ? scopeId : null;
  const { data, ...example } = eventExample(type);
  const envelope = { ...example, id: messageId, tenantId, formId: formId ?? example.formId };
  const marked = Buffer.from(JSON.stringify({ ...data, isTestEvent: true }));
  const body = Buffer.concat(messageBody(envelope, webhookEvents[type], marked));
  return { eventName, entity, action, body, formId };
}

/** The documents' example of an alert. */
const alertTest = (messageId: string) => ({
  ...webhookAlert,
  formId: null,
  body: alertBody(messageId, { ...webhookAlertExample, isTestEvent: true }),
});

/** The bytes of an alert. */
export const alertBody = (messageId: string, payload: WebhookAlert & { isTestEvent?: true }): Buffer =>
  Buffer.from(
    JSON.stringify({
      Id: messageId,
      EventName: webhookAlert.eventName,
      Action: webhookAlert.action,
      Payload: payload,
    }),
  );

const conflict = (detail: string) => new Problem('conflict', { detail });
