import { exactObject, wireDate, wireId } from '@canvass/contracts';
import type { DescribedAnswer, Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { endpointStates } from '../endpoints';
import { maxCounted, type EndpointBacklog } from './backlog.sql';
import { maxEndpoints, type Backlog, type BacklogTotals } from './read-backlog';
import { count } from './stats-answers';

/** The answers of the operation on the backlog, for documents and tests. */

const counts = {
  waiting: count.description('deliveries that are not final'),
  due: count.description(
    'those whose time has come, or that are being sent; not those of disabled endpoints',
  ),
  inFlight: count.description('those that are being sent'),
  oldestDueAt: wireDate
    .allow(null)
    .description('since when the oldest due delivery that is not being sent waits; null: no such delivery'),
};

export const endpointMembers = {
  endpointId: wireId.description('id of the endpoint'),
  url: Joi.string().description('URL of the endpoint'),
  state: Joi.string().valid(...endpointStates),
  failingSince: wireDate.allow(null).description('time of the first failure since the last success'),
  pausedUntil: wireDate
    .allow(null)
    .description('it failed too often in a row: nothing is sent to it until then'),
};

export const endpointExample = {
  endpointId: '186512345677000576',
  url: 'https://hooks.example.org/canvass',
  state: 'enabled',
  failingSince: '2026-11-20T09:12:00.000Z',
  pausedUntil: '2026-11-20T09:34:30.000Z',
} as const;

export const totalsMembers: Joi.StrictSchemaMap<Wire<BacklogTotals>> = {
  ...counts,
  isExact: Joi.boolean().description(
    `false: an endpoint has more than ${maxCounted} deliveries that wait, and only so many were counted`,
  ),
};

export const totalsExample: Wire<BacklogTotals> = {
  waiting: 310,
  due: 12,
  inFlight: 2,
  oldestDueAt: '2026-11-20T09:34:02.120Z',
  isExact: true,
};

const example: Wire<Backlog> = {
  ...totalsExample,
  endpoints: [
    { ...endpointExample, waiting: 310, due: 12, inFlight: 2, oldestDueAt: '2026-11-20T09:34:02.120Z' },
  ],
};

export const webhookBacklog: DescribedAnswer = {
  description: 'The backlog.',
  headers: { ETag: 'changes with the numbers; for If-None-Match' },
  body: exactObject<Wire<Backlog>>('WebhookBacklog', {
    ...totalsMembers,
    endpoints: Joi.array()
      .items(
        exactObject<Wire<EndpointBacklog>>('WebhookEndpointBacklog', { ...endpointMembers, ...counts })
          .description('What waits for one endpoint.')
          .optional(),
      )
      .max(maxEndpoints)
      .description(`those with most due deliveries first, at most ${maxEndpoints}`),
  })
    .description('Deliveries that wait to be sent, now.')
    .example(example),
  example,
};
