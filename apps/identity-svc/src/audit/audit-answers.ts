import { auditExample, auditMembers } from '@canvass/audit';
import { exactObject, wireId } from '@canvass/contracts';
import type { DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import { areas, type AreaAction } from './areas';

/** One page of the audit trail. */
export interface AuditPage {
  items: AreaAction[];
  next: string | null;
}

const example: AuditPage = { items: [{ ...auditExample, area: 'forms' }], next: auditExample.id };

const action = exactObject<AreaAction>('AuditRecord', {
  ...auditMembers,
  area: Joi.string()
    .valid(...areas)
    .description('the part of the API to which it belongs'),
}).description('A recorded action.');

const page = exactObject<AuditPage>('AuditPage', {
  items: Joi.array().items(action.optional()).description('newest first'),
  next: wireId.allow(null).description('`before` of the next page; null after the last one'),
})
  .description('Recorded actions of the tenant.')
  .example(example);

export const pageOfAudit: DescribedAnswer = {
  description: 'A page, or with `Accept: application/x-ndjson` all actions, one JSON object per line.',
  body: page,
  content: { 'application/x-ndjson': 'one recorded action per line, newest first' },
  example,
};
