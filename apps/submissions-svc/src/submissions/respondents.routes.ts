import type { SubmissionView } from '@canvass/contracts';
import {
  created,
  endpoint,
  idSchema,
  ok,
  type Answer,
  type Endpoint,
  type EndpointInput,
} from '@canvass/service-kit';
import Joi from 'joi';
import type { ResolvedSubmitter, Submitters } from '../submitters';
import { bodyOfReplay, createSubmission } from './create-submission';
import { formParams } from './filter-query';
import { readByToken, requireHash, tenantOfForm } from './read-submission';
import { saveSubmission } from './save-submission';
import { createdSubmission, heldSubmission, savedByToken } from './submission-answers';
import {
  answerBytes,
  dropSubmitterFields,
  type SubmissionChanges,
  type SubmitterField,
} from './submission-body';
import type { SubmissionDeps } from './submissions.routes';

export interface RespondentDeps extends SubmissionDeps {
  submitters: Submitters;
  /** Counts an attempt to set a submitter in the body of a public request. */
  countDropped: (field: SubmitterField) => void;
}

const tokenParams = Joi.object<{ formId: string; token: string }>({
  formId: idSchema.description('id of the form'),
  token: Joi.string().required().description('`token` from the response to the create'),
});
const byToken = '/api/forms/:formId/submissions/by-token/:token';

/** Operations for respondents: anonymous, or identified by a bearer token. */
export function respondentRoutes(deps: RespondentDeps): Endpoint[] {
  return [
    createRoute(deps),
    endpoint.read({
      method: 'get',
      path: byToken,
      operationId: 'getSubmissionByToken',
      summary: 'The submission of a token',
      description:
        'Each use of the token renews it, for at most 90 days or its validity. An expired or unknown token, or one that completion used up, is a 404.',
      access: 'optional',
      params: tokenParams,
      answers: { 200: heldSubmission },
      async handle({ principal, params: { formId, token } }) {
        return toHolder(await readByToken(deps.db, formId, token, principal), token);
      },
    }),
    endpoint.write({
      method: 'patch',
      path: byToken,
      operationId: 'changeSubmissionByToken',
      audit: { notRecorded: 'answers of a respondent' },
      summary: 'The holder of the token continues; completion uses the token up',
      description:
        'Absent members do not change; metadata is merged at its top level. `collectionOutcome: screen_out` screens the respondent out, wins over `isComplete`, and repeated is no change; any other save after it is a 409. Each use of the token renews it, for at most 90 days or its validity. An expired or unknown token, or one that completion used up, is a 404.',
      access: 'optional',
      params: tokenParams,
      body: deps.bodies.respondent,
      bodyLimit: deps.bodies.bodyLimit,
      answers: { 200: savedByToken },
      problems: ['quota_exceeded', 'submission_screened_out', 'form_disabled'],
      async handle({ principal, params: { formId, token }, body, ifMatch, traceparent }) {
        const tenantId = principal?.tenantId ?? null;
        const target = { tokenHash: requireHash(token) };
        const changes = changesOf(body, deps.countDropped);
        const save = { tenantId, formId, target, changes, metadata: 'merge', ifMatch, traceparent } as const;
        const added = { formId, tenantId, creates: 0, bytes: answerBytes(changes) } as const;
        return toHolder(await deps.use.counted(added, () => saveSubmission(deps, save)), token);
      },
    }),
  ];
}

function createRoute({
  bodies,
  idempotency,
  submitters,
  use,
  countDropped,
}: Omit<RespondentDeps, 'db' | 'wake'>): Endpoint {
  const submitterOf = onceARequest(submitters);
  return endpoint.write({
    method: 'post',
    path: '/api/forms/:formId/submissions',
    operationId: 'createSubmission',
    audit: { notRecorded: 'answers of a respondent' },
    summary: 'A respondent starts or completes a submission',
    description:
      'A bearer token says who the respondent is: they are resolved to a submitter, whose id, display id and profile fields are kept with the submission. Members of the body that would say so have no effect. A form that is not public requires the permission `Submissions.Create`. On a form with `limitOnePerUser` a second submission of an identified respondent is a 409 with `existingId`. Emits `submission_completed`, or `submission_collection_status_changed` for a screen-out, if it is one or the other.',
    access: 'optional',
    params: formParams,
    body: bodies.respondent,
    bodyLimit: bodies.bodyLimit,
    // Keys belong to the tenant of the form, because an anonymous respondent has none.
    idempotency: {
      store: idempotency,
      tenantOf: ({ principal, params, db }) => principal?.tenantId ?? tenantOfForm(db, params.formId),
      // A custom extractor may use the network, which must not happen in an open transaction.
      before: async (input) => void (await submitterOf(input)),
      bodyOfReplay,
    },
    answers: { 201: createdSubmission },
    problems: [
      'authentication_required',
      'permission_denied',
      'quota_exceeded',
      'conflict',
      'submission_already_exists',
      'form_disabled',
      'daily_quota_exceeded',
      'submitter_resolution_failed',
    ],
    async handle({ request, principal, params: { formId }, body, traceparent, db, wake }) {
      const tenantId = principal?.tenantId ?? null;
      const changes = changesOf(body, countDropped);
      const create = {
        formId,
        tenantId,
        submitter: await submitterOf({ request, principal }),
        mayTest: principal?.permissions.has('Submissions.Test') ?? false,
        mayAnswerPrivate: principal?.permissions.has('Submissions.Create') ?? false,
        onBehalfBy: null,
        changes,
        traceparent,
      };
      const added = { formId, tenantId, creates: 1, bytes: answerBytes(changes) } as const;
      const submission = await use.counted(added, () => createSubmission({ db, wake }, create));
      return created(`/api/forms/${formId}/submissions/${submission.id}`, submission, {
        etag: submission.revision,
      });
    },
  });
}

function changesOf(body: SubmissionChanges, countDropped: RespondentDeps['countDropped']): SubmissionChanges {
  const { changes, dropped } = dropSubmitterFields(body);
  dropped.forEach((field) => countDropped(field));
  return changes;
}

/** The respondent of the caller. Repeated calls with one request return the same result. */
function onceARequest(submitters: Submitters) {
  const known = new WeakMap<EndpointInput['request'], Promise<ResolvedSubmitter | null>>();
  return ({ request, principal }: Pick<EndpointInput, 'request' | 'principal'>) => {
    const submitter = known.get(request) ?? submitters.ofCaller(principal);
    known.set(request, submitter);
    return submitter;
  };
}

/** Only its own holder gets the token, and only while it is valid. */
const toHolder = (view: SubmissionView, token: string): Answer =>
  ok({ ...view, token: view.isComplete ? null : token }, { etag: view.revision });
