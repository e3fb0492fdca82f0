import { requirePermission, type Principal } from '@canvass/auth';
import { jobKinds, jobStates, type JobArea, type JobKind, type JobState } from '@canvass/jobs';
import {
  currentContext,
  digestOf,
  endpoint,
  idSchema,
  listParameters,
  ok,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { rulesOf, type AreaJob, type Jobs } from './areas';
import { areaNames, cancelledAreaJob, oneAreaJob, pageOfAreaJobs, takenOverJob } from './jobs-answers';

const listQuery = listParameters<{ area: JobArea[]; kind?: JobKind; state?: JobState }>({
  area: Joi.array()
    .items(Joi.string().valid(...areaNames))
    .single()
    .unique()
    .min(1)
    .default([...areaNames])
    .description('only these areas; may be repeated'),
  kind: Joi.string()
    .valid(...Object.keys(jobKinds))
    .description('only jobs of this kind'),
  state: Joi.string()
    .valid(...jobStates)
    .description('only jobs in this state'),
});

const params = Joi.object<{ id: string }>({ id: idSchema.required().description('id of the job') });

/** The long jobs of all services of the tenant. */
export const jobsRoutes = (jobs: Jobs): Endpoint[] => [
  endpoint.read({
    method: 'get',
    path: '/api/jobs',
    operationId: 'listJobs',
    summary: 'Long jobs of all areas that the caller may see, newest first',
    description:
      'Bulk changes, exports and erasures of submissions need `Submissions.View`, recoveries of webhooks `WebHooks.View`. An area that does not answer is named in `unavailable`, and the jobs of the others are listed all the same. The services list their own jobs, too: `GET /api/submissions/jobs`, `GET /api/webhooks/jobs`.',
    access: 'authenticated',
    query: listQuery,
    answers: { 200: pageOfAreaJobs },
    handle: async ({ principal, query: { area, kind, state, ...window } }) =>
      ok(await jobs.list(principal, { area, kind, state }, window)),
  }),
  endpoint.read({
    method: 'get',
    path: '/api/jobs/:id',
    operationId: 'getJob',
    summary: 'One job with its progress',
    description: 'A job that the caller may not see is a 404.',
    access: 'authenticated',
    params,
    answers: { 200: oneAreaJob },
    problems: ['service_unavailable'],
    async handle({ principal, params: { id } }) {
      const job = await jobs.read(principal, id);
      return ok(job, { etag: digestOf(job) });
    },
  }),
  endpoint.write({
    method: 'post',
    path: '/api/jobs/:id/cancel',
    operationId: 'cancelJob',
    audit: { notRecorded: 'the service of the job records it as `job.cancelled`' },
    summary: 'Cancels a job',
    description:
      'What its steps have done stays. A job that has ended is not changed. Needs the permission with which jobs of its kind are started: `Submissions.Review` for a bulk change, `Submissions.Export` for an export, `Submissions.Erase` for an erasure, `WebHooks.Manage` for a recovery.',
    access: 'authenticated',
    params,
    answers: { 200: cancelledAreaJob },
    problems: ['permission_denied', 'service_unavailable'],
    async handle({ principal, params: { id } }) {
      return ok(await changed(jobs, principal, id, 'cancel'));
    },
  }),
  endpoint.write({
    method: 'post',
    path: '/api/jobs/:id/take-over',
    operationId: 'takeOverJob',
    audit: { notRecorded: 'the service of the job records it as `job.taken_over`' },
    summary: 'Continues a job whose starter lost the rights to it',
    description:
      'A job ends as `failed` when the account that started it is disabled, deleted, or gets other roles or a new password. It continues in the name of the caller, who is the actor of what it does from now on. An export cannot be taken over: start it again. Needs `Users.Manage`, and the permission with which jobs of its kind are started.',
    access: { permission: 'Users.Manage' },
    params,
    answers: { 200: takenOverJob },
    problems: ['conflict', 'service_unavailable'],
    async handle({ principal, params: { id } }) {
      return ok(await changed(jobs, principal, id, 'take-over'));
    },
  }),
];

/** Changes a job in the name of the caller, who needs the permission to start jobs of its kind. */
async function changed(
  jobs: Jobs,
  principal: Principal,
  id: string,
  verb: 'cancel' | 'take-over',
): Promise<AreaJob> {
  const job = await jobs.read(principal, id);
  requirePermission(principal, rulesOf(job.kind)!.cancel);
  const { tenantId } = principal;
  const { actor, version, address = null, requestId } = currentContext()!;
  const caller = { tenantId, actor: actor!, address, requestId, ...(version !== undefined && { version }) };
  return jobs.change(job, verb, caller);
}
