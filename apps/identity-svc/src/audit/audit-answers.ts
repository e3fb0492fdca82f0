import { auditExample, auditMembers } from '@canvass/audit';
import { exactObject } from '@canvass/contracts';
import { listAnswer, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import { areas, type AreaAction } from './areas';

const action = exactObject<AreaAction>('AuditRecord', {
  ...auditMembers,
  area: Joi.string()
    .valid(...areas)
    .description('the part of the API to which it belongs'),
}).description('A recorded action.');

export const pageOfAudit: DescribedAnswer = {
  ...listAnswer<AreaAction>(
    'AuditRecord',
    action,
    { ...auditExample, area: 'forms' },
    'A page, or with `Accept: application/x-ndjson` all actions, one JSON object per line.',
  ),
  content: { 'application/x-ndjson': 'one recorded action per line, newest first' },
};
