import { requirePermission, type Permission } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { digestOf, endpoint, idSchema, listParameters, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { endedJob, oneJob, pageOfJobs } from './answers';
import { cancelJob, readJob, readJobs } from './jobs';
import { jobView } from './job-view';
import { jobStates, type JobState } from './jobs.sql';
import { jobKinds, type JobKind } from './kinds';

export interface JobRoutesOptions {
  db: Database;
  /** Such as `/api/webhooks/jobs`. */
  path: string;
  /** Part of the operation ids: `Webhook` for `listWebhookJobs`. */
  name: string;
  kinds: readonly JobKind[];
  view: Permission;
  /** Needed for a cancel, with the permission of the kind of the job. */
  manage: Permission;
}

/** The jobs of one service. Those of all services have ids in one order of time. */
export function jobRoutes({ db, path, name, kinds, view, manage }: JobRoutesOptions): Endpoint[] {
  const params = Joi.object<{ id: string }>({ id: idSchema.required().description('id of the job') });
  const query = listParameters<{ kind?: string; state?: JobState }>({
    kind: Joi.string()
      .valid(...kinds)
      .description('only jobs of this kind'),
    state: Joi.string()
      .valid(...jobStates)
      .description('only jobs in this state'),
  });
  return [
    endpoint.read({
      method: 'get',
      path,
      operationId: `list${name}Jobs`,
      summary: 'Long jobs of the tenant, newest first',
      access: { permission: view },
      query,
      answers: { 200: pageOfJobs },
      problems: ['query_too_broad'],
      async handle({ principal: { tenantId }, query: { kind, state = null, ...window } }) {
        const filter = { tenantId, kinds: kind === undefined ? null : [kind], state };
        return ok(await readJobs(db, filter, window, jobView));
      },
    }),
    endpoint.read({
      method: 'get',
      path: `${path}/:id`,
      operationId: `get${name}Job`,
      summary: 'One job with its progress',
      access: { permission: view },
      params,
      answers: { 200: oneJob },
      async handle({ principal: { tenantId }, params: { id } }) {
        const job = jobView(await readJob(db, tenantId, id));
        return ok(job, { etag: digestOf(job) });
      },
    }),
    endpoint.write({
      method: 'post',
      path: `${path}/:id/cancel`,
      operationId: `cancel${name}Job`,
      audit: { action: 'job.cancelled' },
      summary: 'Cancels a job',
      description:
        'What its steps have done stays. A job that has ended is not changed. Needs the permission with which jobs of this kind are started, too.',
      access: { permission: manage },
      params,
      answers: { 200: endedJob },
      async handle({ principal, params: { id } }) {
        const { tenantId } = principal;
        const { kind } = await readJob(db, tenantId, id);
        // A job of a newer version of the service has a kind that this one does not know.
        if (Object.hasOwn(jobKinds, kind)) requirePermission(principal, jobKinds[kind as JobKind].cancel);
        return ok(jobView(await cancelJob(db, { tenantId, id, object: 'job' })));
      },
    }),
  ];
}
