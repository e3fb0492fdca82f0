import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { silentAfterSeconds, statuses, type CheckRow, type HealthChange } from './health-log.sql';

/** One check of a copy. */
export type CheckView = Omit<CheckRow, 'copy' | 'reportedAt'>;

/** A process of the service. */
export interface CopyView {
  copy: string;
  status: CheckRow['status'];
  reportedAt: Date;
  checks: CheckView[];
}

/** The health of a service. */
export interface ServiceHealth {
  service: string;
  copies: CopyView[];
}

const status = Joi.string().valid(...statuses);
const statusText = `\`Silent\`: its copy has not reported for ${silentAfterSeconds} seconds`;
const copy = Joi.string().description('host name, and a random part for each start of a process');

const check: Wire<CheckView> = {
  name: 'database',
  status: 'Healthy',
  description: null,
  duration: '00:00:00.0012310',
  since: '2026-11-20T09:31:02.114Z',
};

const checkSchema = exactObject<Wire<CheckView>>('ServiceHealthCheck', {
  name: Joi.string().description('name of the check'),
  status: status.description(statusText),
  description: Joi.string().allow(null, '').description('one sentence for an operator'),
  duration: Joi.string().description('duration of the latest run, `hh:mm:ss.fffffff`'),
  since: wireDate.description('since when it has this status'),
}).description('A health check of a copy.');

const example = (service: string): Wire<ServiceHealth> => ({
  service,
  copies: [
    { copy: 'node-1/4f1c22d0', status: 'Healthy', reportedAt: '2026-11-20T09:34:12.402Z', checks: [check] },
  ],
});

const serviceHealth = exactObject<Wire<ServiceHealth>>('ServiceHealth', {
  service: Joi.string().description('name of the service'),
  copies: Joi.array()
    .items(
      exactObject<Wire<CopyView>>('ServiceCopy', {
        copy,
        status: status.description('the worst of its checks'),
        reportedAt: wireDate.description('time of its latest report'),
        checks: Joi.array().items(checkSchema.optional()).description('by name'),
      })
        .description('A process of the service.')
        .optional(),
    )
    .description('all that reported within an hour and have not ended'),
}).description('The health of all copies of a service.');

export const healthAnswer = (service: string): DescribedAnswer => ({
  description: 'The health.',
  body: serviceHealth,
  headers: { ETag: 'changes with each report' },
  example: example(service),
});

const changeExample: Wire<HealthChange> = {
  id: '186512345690000512',
  at: '2026-11-20T09:31:02.114Z',
  copy: 'node-1/4f1c22d0',
  check: 'database',
  status: 'Unhealthy',
  description: 'The check did not answer within 800 ms.',
};

const change = exactObject<Wire<HealthChange>>('HealthChange', {
  id: wireId.description('id of the change'),
  at: wireDate.description('since when the check has the status'),
  copy,
  check: Joi.string().description('name of the check'),
  status: Joi.string()
    .valid(...statuses, 'Stopped')
    .description(`${statusText}; \`Stopped\`: it ended`),
  description: Joi.string().allow(null, '').description('one sentence for an operator'),
})
  .description('A change of the status of a check.')
  .example(changeExample);

export const changesAnswer = listAnswer('HealthChange', change, changeExample, 'A page of changes.');
