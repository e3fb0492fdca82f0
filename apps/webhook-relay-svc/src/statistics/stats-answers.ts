import { exactObject, wireDate } from '@canvass/contracts';
import { maxBuckets, periodMembers, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { outcomes } from '../pipeline';
import { phaseNames } from './cells.sql';
import type { BucketStats, Percentiles, Stats, WebhookStats } from './read-stats';

/** The answers of the operation on statistics, for documents and tests. */

export const count = Joi.number().integer().min(0);
const ms = Joi.number().min(0);

const percentiles = exactObject<Percentiles>('WebhookPercentiles', { p50: ms, p95: ms, p99: ms })
  .description('Milliseconds, at most 5 % off: durations are counted in classes that grow by 10 %.')
  .allow(null)
  .required();

const members: Joi.StrictSchemaMap<Wire<Stats>> = {
  attempts: count.description('attempts that started in this time'),
  outcomes: Joi.object<Record<string, number>>()
    .pattern(Joi.string().valid(...outcomes), count)
    .description('attempts by outcome; an outcome without attempts is absent'),
  delivered: count.description('deliveries that these attempts delivered'),
  dead: count.description('deliveries that were dead after these attempts'),
  milliseconds: exactObject<Stats['milliseconds']>(
    'WebhookDurations',
    Object.fromEntries(phaseNames.map((name) => [name, percentiles])) as never,
  ).description(
    'percentiles of each phase, null if no attempt had it: `dns`, `connect` and `tls` (absent for reused connections), `firstByte` and `total` from the start of the attempt, `endToEnd` from the change to the end of the attempt that delivered it',
  ),
};

const example: Wire<Stats> = {
  attempts: 1250,
  outcomes: { success: 1238, http_5xx: 9, timeout: 3 },
  delivered: 1238,
  dead: 0,
  milliseconds: {
    dns: { p50: 2.086, p95: 8.735, p99: 14.07 },
    connect: { p50: 11.63, p95: 20.6, p99: 24.92 },
    tls: { p50: 22.66, p95: 40.13, p99: 58.75 },
    firstByte: { p50: 71.09, p95: 184.4, p99: 435 },
    total: { p50: 71.09, p95: 184.4, p99: 526.3 },
    endToEnd: { p50: 94.62, p95: 326.8, p99: 6_000 },
  },
};

const answer: Wire<WebhookStats> = {
  from: '2026-11-20T09:00:00.000Z',
  to: '2026-11-20T10:00:00.000Z',
  bucket: '1h',
  total: example,
  buckets: [{ start: '2026-11-20T09:00:00.000Z', ...example }],
};

export const webhookStats: DescribedAnswer = {
  description: 'The statistics. Every bucket of the range is present, in order.',
  body: exactObject<Wire<WebhookStats>>('WebhookStats', {
    ...periodMembers(wireDate),
    total: exactObject<Wire<Stats>>('WebhookAttemptStats', members).description('of the whole range'),
    buckets: Joi.array()
      .items(
        exactObject<Wire<BucketStats>>('WebhookBucketStats', {
          start: wireDate.description('start of the bucket, inclusive'),
          ...members,
        })
          .description('Attempts that started in one bucket.')
          .optional(),
      )
      .max(maxBuckets),
  })
    .description('Statistics of attempts to deliver webhooks.')
    .example(answer),
  example: answer,
};
