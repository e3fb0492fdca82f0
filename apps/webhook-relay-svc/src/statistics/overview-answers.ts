import { exactObject, wireDate } from '@canvass/contracts';
import { maxBuckets, periodMembers, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { endpointExample, endpointMembers, totalsExample, totalsMembers } from './backlog-answers';
import type { EndpointTrouble } from './overview.sql';
import type { BacklogTotals } from './read-backlog';
import { maxTroubled, type OverviewBucket, type WebhookOverview } from './read-overview';
import { count } from './stats-answers';

/** The answers of the overview of webhooks, for documents and tests. */

const counts = {
  attempts: count.description('attempts that started in this time'),
  failed: count.description('those without a 2xx response'),
  delivered: count.description('deliveries that were delivered'),
  dead: count.description('deliveries whose retry schedule was used up'),
};
const some = { attempts: 1250, failed: 12, delivered: 1238, dead: 0 };

const example: Wire<WebhookOverview> = {
  from: '2026-11-20T09:00:00.000Z',
  to: '2026-11-20T10:00:00.000Z',
  bucket: '1h',
  total: { ...some, failedShare: 0.0096 },
  buckets: [{ start: '2026-11-20T09:00:00.000Z', ...some }],
  backlog: totalsExample,
  troubled: [{ ...endpointExample, attempts: 320, failed: 12 }],
};

export const webhookOverview: DescribedAnswer = {
  description: 'The overview.',
  body: exactObject<Wire<WebhookOverview>>('WebhookOverview', {
    ...periodMembers(wireDate),
    total: exactObject<WebhookOverview['total']>('WebhookOverviewTotal', {
      ...counts,
      failedShare: Joi.number()
        .min(0)
        .max(1)
        .allow(null)
        .description('share of failed attempts, 0 to 1; null without attempts'),
    }).description('of the whole range'),
    buckets: Joi.array()
      .items(
        exactObject<Wire<OverviewBucket>>('WebhookOverviewCounts', {
          start: wireDate.description('start of the bucket, inclusive'),
          ...counts,
        })
          .description('One bucket.')
          .optional(),
      )
      .max(maxBuckets)
      .description('every bucket of the range, in order'),
    backlog: exactObject<Wire<BacklogTotals>>('WebhookBacklogTotals', totalsMembers).description(
      'what waits now',
    ),
    troubled: Joi.array()
      .items(
        exactObject<Wire<EndpointTrouble>>('WebhookEndpointTrouble', {
          ...endpointMembers,
          attempts: count.description('attempts in the range'),
          failed: count.description('those without a 2xx response'),
        })
          .description('An endpoint that fails, failed in the range, or was disabled for it.')
          .optional(),
      )
      .max(maxTroubled)
      .description(
        'disabled ones first, then failing ones, then by failed attempts; without those that a user disabled',
      ),
  })
    .description('Deliveries of the tenant at a glance.')
    .example(example),
  example,
};
