import { actorSchema } from '@canvass/audit';
import { exactObject } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import {
  currentContext,
  digestOf,
  endpoint,
  idSchema,
  ok,
  withContext,
  type Actor,
  type Endpoint,
  type Wire,
} from '@canvass/service-kit';
import Joi from 'joi';
import { endedJob, jobExample, jobMembers, oneJob } from './answers';
import { jobView, type JobView } from './job-view';
import { cancelJob, readJob } from './jobs';
import { jobStates, newestJobs, type JobState } from './jobs.sql';
import { jobKinds, type JobKind } from './kinds';

/** Most jobs in one response. */
const mostJobs = 201;

interface ListQuery {
  tenantId: string;
  kinds: JobKind[];
  state: JobState | null;
  before: string | null;
  limit: number;
}

interface CancelBody {
  tenantId: string;
  /** The caller, whom the audit trail names. */
  actor: Actor;
  address: string | null;
  requestId: string;
}

interface JobList {
  items: Wire<JobView>[];
}

const tenantId = idSchema.required().description('id of the tenant');
const params = Joi.object<{ id: string }>({ id: idSchema.required().description('id of the job') });
const kindNames = Object.keys(jobKinds);
const noStore = { headers: { 'Cache-Control': 'no-store' } };

const listQuery = Joi.object<ListQuery>({
  tenantId,
  kinds: Joi.array()
    .items(Joi.string().valid(...kindNames))
    .single()
    .max(kindNames.length)
    .required()
    .description('kinds of jobs'),
  state: Joi.string()
    .valid(...jobStates)
    .default(null)
    .description('only jobs in this state'),
  before: idSchema.default(null).description('only jobs with smaller ids'),
  limit: Joi.number().integer().min(1).max(mostJobs).required().description('most jobs'),
});

const cancelBody = Joi.object<CancelBody>({
  tenantId,
  actor: actorSchema.required(),
  address: Joi.string().allow(null).required().description('address of the client'),
  requestId: Joi.string().required().description('id of the request of the caller'),
})
  .id('JobCancellation')
  .example({
    tenantId: '1',
    actor: { provider: 'Service', kind: 'user', subject: '186512345670000128' },
    address: '192.0.2.17',
    requestId: '5f6d3c1e-8a52-4a0e-9f67-6f1d0a3c9b11',
  });

/** For identity-svc, on the internal port only: the jobs of this service. It checks the permissions. */
export function jobInternalRoutes(db: Database): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/internal/jobs',
      operationId: 'listJobsOfService',
      summary: 'Jobs of a tenant in this service, newest first',
      access: 'internal',
      query: listQuery,
      answers: {
        200: {
          description: 'The jobs.',
          body: exactObject<JobList>('JobsOfService', {
            items: Joi.array().items(exactObject<Wire<JobView>>('JobOfService', jobMembers).optional()),
          }),
          example: { items: [jobExample] } satisfies JobList,
        },
      },
      async handle({ query }) {
        return ok({ items: (await db.query(newestJobs(query))).map(jobView) }, noStore);
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/internal/jobs/:id',
      operationId: 'getJobOfService',
      summary: 'One job',
      access: 'internal',
      params,
      query: Joi.object<{ tenantId: string }>({ tenantId }),
      answers: { 200: oneJob },
      async handle({ params: { id }, query }) {
        const job = jobView(await readJob(db, query.tenantId, id));
        return ok(job, { etag: digestOf(job), ...noStore });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/internal/jobs/:id/cancel',
      operationId: 'cancelJobOfService',
      audit: { action: 'job.cancelled' },
      summary: 'Cancels a job in the name of a caller',
      access: 'internal',
      params,
      body: cancelBody,
      answers: { 200: endedJob },
      async handle({ params: { id }, body: { tenantId: ofTenant, actor, address, requestId } }) {
        const caller = { ...currentContext()!, actor, requestId, ...(address !== null && { address }) };
        const cancelled = await withContext(caller, () =>
          cancelJob(db, { tenantId: ofTenant, id, object: 'job' }),
        );
        return ok(jobView(cancelled), noStore);
      },
    }),
  ];
}
