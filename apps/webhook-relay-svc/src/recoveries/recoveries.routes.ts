import type { Database, PostgresIdempotencyStore } from '@canvass/postgres';
import { jobStates, type JobState } from '@canvass/jobs';
import { accepted, digestOf, endpoint, listParameters, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { idOf, manage, view } from '../webhook-operations';
import {
  endedRecovery,
  oneRecovery,
  pageOfRecoveries,
  plannedRecovery,
  startedRecovery,
} from './recovery-answers';
import { cancel, failedSince, planRecovery, readRecoveries, readRecovery, startRecovery } from './recover';
import { dryRunQuery, recoveryBody, requestOf, sinceBody, type RecoveryRequest } from './recovery-request';

const listQuery = listParameters<{ status?: JobState }>({
  status: Joi.string()
    .valid(...jobStates)
    .description('only those in this status'),
});

export interface RecoveryRoutesDeps {
  db: Database;
  idempotency: PostgresIdempotencyStore;
}

export function recoveryRoutes({ db, idempotency }: RecoveryRoutesDeps): Endpoint[] {
  return [
    startRoute(idempotency),
    startByFilterRoute(idempotency),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/recoveries',
      operationId: 'listWebhookRecoveries',
      summary: 'Recoveries of the tenant, newest first.',
      access: view,
      query: listQuery,
      answers: { 200: pageOfRecoveries },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId }, query: { status = null, ...window } }) {
        return ok(await readRecoveries(db, { tenantId, state: status }, window));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/webhooks/recoveries/:id',
      operationId: 'getWebhookRecovery',
      summary: 'A recovery with its progress.',
      access: view,
      params: idOf('recovery'),
      answers: { 200: oneRecovery },
      async handle({ principal: { tenantId }, params: { id } }) {
        const recovery = await readRecovery(db, tenantId, id);
        return ok(recovery, { etag: digestOf(recovery) });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/recoveries/:id/cancel',
      operationId: 'cancelWebhookRecovery',
      audit: { action: 'webhook_recovery.cancelled' },
      summary: 'Cancels a recovery.',
      description: 'Deliveries that are already due stay due. A recovery that has ended is not changed.',
      access: manage,
      params: idOf('recovery'),
      answers: { 200: endedRecovery },
      async handle({ principal: { tenantId }, params: { id } }) {
        return ok(await cancel(db, tenantId, id));
      },
    }),
  ];
}

function startRoute(idempotency: PostgresIdempotencyStore): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/webhooks/endpoints/:id/recover',
    operationId: 'recoverWebhookEndpoint',
    audit: { action: 'webhook_recovery.started' },
    summary: 'Resends all failed deliveries of an endpoint since a time, as a job.',
    description:
      'The same as `POST /api/webhooks/recoveries` in the mode `failed` with `endpointId` and `from`. Includes deliveries in the status `failed` or `dead`. Returns 409 if the endpoint is disabled or removed.',
    access: manage,
    params: idOf('endpoint'),
    body: sinceBody,
    idempotency: { store: idempotency },
    answers: { 202: startedRecovery },
    problems: ['conflict', 'query_too_broad'],
    async handle({ principal: { tenantId }, params: { id }, body: { since }, db, wake }) {
      const request = failedSince(id, since);
      const job = await startRecovery(db, { tenantId, reason: null, request }, { endpointId: id, since });
      wake();
      return accepted(job, { location: `/api/webhooks/recoveries/${job.id}` });
    },
  });
}

function startByFilterRoute(idempotency: PostgresIdempotencyStore): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/webhooks/recoveries',
    operationId: 'startWebhookRecovery',
    audit: { action: 'webhook_recovery.started' },
    summary: 'Sends all deliveries of a filter again, as a job.',
    description: [
      'The job makes the deliveries due in small steps, oldest first, with the same bytes and ids, and counts the result of the first attempt of each. It takes deliveries that were made before the request. It continues after a restart and can be cancelled.',
      '`missing` makes deliveries of stored messages for an endpoint that was added later, or that did not get their event then. It takes messages that settings of the same scope sent to another endpoint, if the settings in force send their event to this one. At most about 1,000 of them wait at a time, so that new events do not wait behind them.',
      '`dryRun=true` returns what would be taken. Returns 409 if the endpoint of the filter is disabled or removed. Deliveries of other disabled or removed endpoints are skipped.',
    ].join('\n\n'),
    access: manage,
    query: dryRunQuery,
    body: recoveryBody,
    idempotency: { store: idempotency },
    answers: { 200: plannedRecovery, 202: startedRecovery },
    problems: ['conflict', 'not_found', 'query_too_broad'],
    async handle({ principal: { tenantId }, query: { dryRun }, body, db, wake }) {
      const { reason = null } = body;
      const request = requestOf(body);
      if (dryRun) return ok(await planRecovery(db, tenantId, request));
      const job = await startRecovery(db, { tenantId, reason, request }, auditOf(request));
      wake();
      return accepted(job, { location: `/api/webhooks/recoveries/${job.id}` });
    },
  });
}

/** The record without the text that was searched, because it may be an answer. */
function auditOf({ mode, filter: { text, ...filter }, deliveryIds }: RecoveryRequest) {
  return { mode, filter, hasText: text !== undefined, deliveryIds };
}
