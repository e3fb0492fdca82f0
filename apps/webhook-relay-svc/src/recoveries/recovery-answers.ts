import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { jobState, startedBySchema } from '@canvass/jobs';
import { listAnswer, revisionHeader, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { deliveryExample, deliverySchema } from '../log';
import { outcomes } from '../pipeline';
import { maxEndpoints, type RecoveryPlan } from './plan';
import type { RecoveryView } from './recover';
import { recoveryModes } from './recovery-request';

/** The answers of the operations on recoveries, for documents and tests. */

type Recovery = Wire<RecoveryView>;

const example: Recovery = {
  id: '186512345690000128',
  mode: 'failed',
  filter: { endpointId: '186512345677000576', from: '2026-11-20T00:00:00.000Z' },
  endpointId: '186512345677000576',
  since: '2026-11-20T00:00:00.000Z',
  status: 'running',
  total: 1250,
  recovered: 500,
  delivered: 420,
  failedAgain: 3,
  skipped: 0,
  reason: 'The receiver was down.',
  startedBy: { provider: 'Service', kind: 'user', subject: '186512345600000512' },
  error: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  finishedAt: null,
};

const count = Joi.number().integer().min(0);

const recovery = exactObject<Recovery>('WebhookRecovery', {
  id: wireId.description('id of the recovery, and of its job'),
  mode: Joi.string().valid(...recoveryModes),
  filter: Joi.object()
    .unknown()
    .allow(null)
    .description('the deliveries that it takes; null: those that the request named'),
  endpointId: wireId.allow(null).description('the endpoint of the filter'),
  since: wireDate.allow(null).description('`from` of the filter'),
  status: jobState,
  total: count.description('deliveries that the plan counted at the time of the request'),
  recovered: count.description('number of deliveries that were made due again so far'),
  delivered: count.description('number of them that were delivered since'),
  failedAgain: count.description('number of them whose first attempt since then failed'),
  skipped: count.description(
    'number of deliveries that were not sent: their endpoint is disabled or removed, their data was erased, or they were in flight or cancelled',
  ),
  reason: Joi.string().allow(null).description('words of the caller who started it'),
  startedBy: startedBySchema,
  error: Joi.string().allow(null).description('why it failed'),
  createdAt: wireDate.description('time of the request'),
  finishedAt: wireDate
    .allow(null)
    .description('time at which all were tried, or no result had come for an hour; null: still running'),
})
  .description('A job that sends deliveries again.')
  .example(example);

const planExample: Wire<RecoveryPlan> = {
  count: 1250,
  skipped: 0,
  byEndpoint: [
    {
      endpointId: '186512345677000576',
      url: 'https://hooks.example.org/canvass',
      state: 'enabled',
      count: 1250,
    },
  ],
  byOutcome: [{ outcome: 'http_5xx', count: 1250 }],
  oldest: '2026-11-20T09:34:12.402Z',
  newest: '2026-11-20T11:34:12.402Z',
  sample: [deliveryExample],
};

const plan = exactObject<Wire<RecoveryPlan>>('WebhookRecoveryPlan', {
  count: count.description('number of deliveries that would be made due'),
  skipped: count.description('number of matching deliveries whose endpoint is disabled or removed'),
  byEndpoint: Joi.array()
    .items(
      Joi.object({
        endpointId: wireId.required(),
        url: Joi.string().required(),
        state: Joi.string().valid('enabled', 'disabled', 'removed').required(),
        count: count.required(),
      }).optional(),
    )
    .max(maxEndpoints)
    .description(`most deliveries first; only the first ${maxEndpoints}`),
  byOutcome: Joi.array()
    .items(
      Joi.object({
        outcome: Joi.string()
          .valid(...outcomes)
          .allow(null)
          .required()
          .description('of the last attempt; null: none'),
        count: count.required(),
      }).optional(),
    )
    .description('by the outcome of their last attempts'),
  oldest: wireDate.allow(null).description('creation of the oldest'),
  newest: wireDate.allow(null).description('creation of the newest'),
  sample: Joi.array()
    .items(deliverySchema.optional())
    .description('the newest ten; in the mode `missing` deliveries of these messages to another endpoint'),
})
  .description('What a recovery would take.')
  .example(planExample);

export const startedRecovery: DescribedAnswer = {
  description: 'The job.',
  body: recovery,
  headers: { Location: 'the URL of the recovery' },
  example: { ...example, recovered: 0, delivered: 0, failedAgain: 0 },
};

export const plannedRecovery: DescribedAnswer = {
  description: 'Of a dry run: what the recovery would take.',
  body: plan,
  example: planExample,
};

export const pageOfRecoveries = listAnswer('WebhookRecovery', recovery, example, 'A page of recoveries.');

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
