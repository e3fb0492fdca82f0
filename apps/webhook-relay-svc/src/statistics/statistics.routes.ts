import type { Database } from '@canvass/postgres';
import {
  digestOf,
  endpoint,
  idSchema,
  ok,
  periodParameters,
  type Endpoint,
  type PeriodQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import { eventNames, view } from '../webhook-operations';
import { webhookBacklog } from './backlog-answers';
import { webhookOverview } from './overview-answers';
import { keptPeriodOf } from './kept-period';
import { readBacklog } from './read-backlog';
import { readOverview } from './read-overview';
import { readStats } from './read-stats';
import { webhookStats } from './stats-answers';

const period = periodParameters('attempts that started');

const statsQuery = Joi.object<PeriodQuery & { endpointId?: string; eventName?: string; formId?: string }>({
  ...period,
  endpointId: idSchema.description('only those to this endpoint'),
  eventName: Joi.string()
    .valid(...eventNames)
    .description('only those of this event'),
  formId: idSchema.description('only those of this form and its submissions'),
});

export interface StatisticsRoutesDeps {
  db: Database;
  /** `Service:WebHooks:MinuteStatisticsDays`. */
  minuteDays: number;
}

export function statisticsRoutes({ db, minuteDays }: StatisticsRoutesDeps): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/stats',
      operationId: 'getWebhookStats',
      summary: 'Attempts by time: numbers, outcomes and durations.',
      description: `Counts are exact. They include attempts whose deliveries are no longer in the log. Minutes (\`1m\`, \`5m\`) are kept for \`Service:WebHooks:MinuteStatisticsDays\` (3), hours 30 times and days 365 times as long.`,
      access: view,
      query: statsQuery,
      answers: { 200: webhookStats },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId }, query: { endpointId, eventName, formId, ...range } }) {
        const filter = {
          tenantId,
          endpointId: endpointId ?? null,
          eventName: eventName ?? null,
          formId: formId ?? null,
        };
        const stats = await readStats(db, filter, keptPeriodOf(range, minuteDays));
        return ok(stats);
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/backlog',
      operationId: 'getWebhookBacklog',
      summary: 'Deliveries that wait to be sent, by endpoint.',
      access: view,
      answers: { 200: webhookBacklog },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId } }) {
        const backlog = await readBacklog(db, tenantId);
        return ok(backlog, { etag: digestOf(backlog) });
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/overview',
      operationId: 'getWebhookOverview',
      summary: 'Deliveries at a glance: numbers by time, the backlog, and the endpoints in most trouble.',
      access: view,
      query: Joi.object<PeriodQuery>(period),
      answers: { 200: webhookOverview },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId }, query }) {
        const overview = await readOverview(db, tenantId, keptPeriodOf(query, minuteDays));
        return ok(overview);
      },
    }),
  ];
}
