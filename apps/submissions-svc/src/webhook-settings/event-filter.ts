import type { EventCondition, WebhookEventName } from '@canvass/contracts';
import { brokenRule, type BrokenRule } from '@canvass/errors';
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
): EventCondition | BrokenRule {
  try {
    return conditionOf(readFilter(filter, profileFields), event);
  } catch (error) {
    if (error instanceof FilterFault) return error.broken;
    throw error;
  }
}

function conditionOf(condition: Condition, event: WebhookEventName): EventCondition | BrokenRule {
  const isOfSubmission = ofSubmissions.has(event);
  const { operator, values } = condition;
  if (!('field' in condition)) {
    if (!isOfSubmission) return brokenRule('filter.event');
    return 'answer' in condition
      ? { of: 'answer', name: condition.answer, kind: 'text', operator, values }
      : { of: 'profile', name: condition.profileField, kind: 'text', operator, values };
  }
  const { name, field } = condition;
  const isThere = isOfSubmission ? !field.isFilterOnly : name === 'formId' && event !== 'SubmitterErased';
  if (!isThere) return brokenRule('filter.event_field', { field: name });
  return { of: 'member', name, kind: kinds[field.kind], operator, values };
}
