import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { revisionHeader, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import type { RecoveryView } from './recoveries.sql';

/** What the operations on recoveries answer, for documents and tests. */

const example: Wire<RecoveryView> = {
  id: '186512345690000128',
  endpointId: '186512345677000576',
  since: '2026-11-20T00:00:00.000Z',
  status: 'running',
  total: 1250,
  recovered: 500,
  createdAt: '2026-11-20T12:00:00.000Z',
  finishedAt: null,
};

const recovery = exactObject<Wire<RecoveryView>>('WebhookRecovery', {
  id: wireId.description('id of the recovery'),
  endpointId: wireId.description('the endpoint whose deliveries are resent'),
  since: wireDate.description('deliveries created at or after this time'),
  status: Joi.string().valid('running', 'done', 'cancelled'),
  total: Joi.number()
    .integer()
    .min(0)
    .description('failed deliveries in the range at the time of the request'),
  recovered: Joi.number()
    .integer()
    .min(0)
    .description('number of deliveries that were made due again so far'),
  createdAt: wireDate.description('time of the request'),
  finishedAt: wireDate.allow(null).description('time at which it ended; null: still running'),
})
  .description('A job that resends failed deliveries of an endpoint.')
  .example(example);

export const startedRecovery: DescribedAnswer = {
  description: 'The job.',
  body: recovery,
  headers: { Location: 'the URL of the recovery' },
  example: { ...example, recovered: 0 },
};

export const oneRecovery: DescribedAnswer = {
  description: 'The job.',
  body: recovery,
  headers: revisionHeader,
  example,
};

export const endedRecovery: DescribedAnswer = {
  description: 'The recovery. If it had ended before, it is unchanged.',
  body: recovery,
  example: { ...example, status: 'cancelled', finishedAt: '2026-11-20T12:00:30.250Z' },
};
