import type { EventCondition, WebhookEventName } from '@canvass/contracts';
import { FilterFault, readFilter, type Condition, type FieldKind } from '../filters';

/** Events that contain the whole submission. The others contain ids, or a form. */
const ofSubmissions: ReadonlySet<WebhookEventName> = new Set([
  'SubmissionCompleted',
  'SubmissionCollectionStatusChanged',
  'SubmissionUpdated',
  'SubmissionStatusChanged',
]);

const kinds: Record<FieldKind, EventCondition['kind']> = {
  integer: 'number',
  bigint: 'number',
  time: 'time',
  boolean: 'text',
  text: 'text',
  choice: 'text',
};

/** The condition of a filter, or what is wrong with it for this event. */
export function readEventFilter(
  filter: string,
  event: WebhookEventName,
  profileFields: readonly string[],
): EventCondition | string {
  try {
    return conditionOf(readFilter(filter, profileFields), event);
  } catch (error) {
    if (error instanceof FilterFault) return error.message;
    throw error;
  }
}

function conditionOf(condition: Condition, event: WebhookEventName): EventCondition | string {
  const isOfSubmission = ofSubmissions.has(event);
  const { operator, values } = condition;
  if (!('field' in condition)) {
    if (!isOfSubmission) return 'names answers or a profile, which this event does not have';
    return 'answer' in condition
      ? { of: 'answer', name: condition.answer, kind: 'text', operator, values }
      : { of: 'profile', name: condition.profileField, kind: 'text', operator, values };
  }
  const { name, field } = condition;
  const isThere = isOfSubmission ? !field.isFilterOnly : name === 'formId' && event !== 'SubmitterErased';
  if (!isThere) return `names the field ${name}, which this event does not have`;
  return { of: 'member', name, kind: kinds[field.kind], operator, values };
}
