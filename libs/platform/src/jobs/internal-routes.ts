import { actorSchema } from '../audit';
import { exactObject } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import {
  currentContext,
  digestOf,
  endpoint,
  idSchema,
  listAnswer,
  listParameters,
  noContent,
  ok,
  withContext,
  type Actor,
  type Endpoint,
  type Wire,
} from '@canvass/service-kit';
import Joi from 'joi';
import { endedJob, jobExample, jobMembers, oneJob } from './answers';
import { eraseTexts } from './erase-texts';
import { jobView, type JobView } from './job-view';
import { cancelJob, readJob, readJobs, takeOverJob } from './jobs';
import { jobStates, type JobRow, type JobState } from './jobs.sql';
import { jobKinds, type JobKind } from './kinds';

/** Largest number of jobs in one response: a page, and one that shows whether more follow. */
const maxJobs = 201;

interface ListQuery {
  tenantId: string;
  kinds: JobKind[];
  state: JobState | null;
}

interface CallerBody {
  tenantId: string;
  /** The caller, whom the audit trail names. */
  actor: Actor;
  /** The version of the rights of the caller. */
  version?: number;
  address: string | null;
  requestId: string;
}

const tenantId = idSchema.required().description('id of the tenant');
const params = Joi.object<{ id: string }>({ id: idSchema.required().description('id of the job') });
const kindNames = Object.keys(jobKinds);
const noStore = { headers: { 'Cache-Control': 'no-store' } };

const listQuery = listParameters<ListQuery>({
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
  limit: Joi.number().integer().min(1).max(maxJobs).required().description('number of jobs'),
});

const callerBody = Joi.object<CallerBody>({
  tenantId,
  actor: actorSchema.required(),
  version: Joi.number().integer().description('version of the rights of an own account'),
  address: Joi.string().allow(null).required().description('address of the client'),
  requestId: Joi.string().required().description('id of the request of the caller'),
})
  .id('JobCaller')
  .example({
    tenantId: '1',
    actor: { provider: 'Service', kind: 'user', subject: '186512345670000128' },
    address: '192.0.2.17',
    requestId: '5f6d3c1e-8a52-4a0e-9f67-6f1d0a3c9b11',
  });

/**
 * Endpoints for identity-svc, on the internal port only: the jobs of this service. It checks the permissions.
 * `wake`: of the worker.
 */
export function jobInternalRoutes(db: Database, wake: () => void): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/internal/jobs',
      operationId: 'listJobsOfService',
      summary: 'Jobs of a tenant in this service, newest first',
      access: 'internal',
      query: listQuery,
      answers: {
        200: listAnswer<Wire<JobView>>(
          'JobOfService',
          exactObject<Wire<JobView>>('JobOfService', jobMembers),
          jobExample,
          'The jobs.',
        ),
      },
      problems: ['query_too_broad'],
      async handle({ query: { tenantId, kinds, state, ...window } }) {
        return ok(await readJobs(db, { tenantId, kinds, state }, window, jobView), noStore);
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
      path: '/internal/jobs/erased-texts',
      operationId: 'eraseTextsOfJobs',
      audit: { notRecorded: 'submissions-svc records the erasure' },
      summary: 'Removes texts of an erased respondent from filters and reasons',
      access: 'internal',
      body: Joi.object<{ tenantId: string; texts: string[] }>({
        tenantId,
        texts: Joi.array().items(Joi.string()).min(1).required().description('ids and display ids'),
      })
        .id('ErasedTextsOfJobs')
        .example({ tenantId: '1', texts: ['ada@example.org'] }),
      answers: { 204: { description: 'No job has the texts any more.' } },
      problems: ['conflict'],
      async handle({ body }) {
        await eraseTexts(db, body.tenantId, body.texts);
        return noContent();
      },
    }),
    inNameOfCaller({
      verb: 'cancel',
      operationId: 'cancelJobOfService',
      action: 'job.cancelled',
      summary: 'Cancels a job in the name of a caller',
      change: (tenantId, id) => cancelJob(db, { tenantId, id, object: 'job' }),
    }),
    inNameOfCaller({
      verb: 'take-over',
      operationId: 'takeOverJobOfService',
      action: 'job.taken_over',
      summary: 'Continues a job in the name of a caller',
      async change(tenantId, id) {
        const job = await takeOverJob(db, { tenantId, id });
        wake();
        return job;
      },
    }),
  ];
}

interface ChangeOfCaller {
  verb: string;
  operationId: string;
  action: `${string}.${string}`;
  summary: string;
  change(tenantId: string, id: string): Promise<JobRow>;
}

const inNameOfCaller = ({ verb, action, change, ...place }: ChangeOfCaller): Endpoint =>
  endpoint.write({
    method: 'post',
    path: `/internal/jobs/:id/${verb}`,
    ...place,
    audit: { action },
    access: 'internal',
    params,
    body: callerBody,
    answers: { 200: endedJob },
    problems: ['conflict'],
    async handle({ params: { id }, body: { tenantId: ofTenant, address, ...who } }) {
      const caller = { ...currentContext()!, ...who, ...(address !== null && { address }) };
      return ok(jobView(await withContext(caller, () => change(ofTenant, id))), noStore);
    },
  });
