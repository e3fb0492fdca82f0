import { requirePermission, type Principal } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { created, endpoint, ok, type Endpoint, type EndpointInput } from '@canvass/service-kit';
import { formParams } from '../form-params';
import type { Challenges } from '../challenges';
import type { ResolvedSubmitter, Submitters } from '../submitters';
import { checksOfCreates } from './check-answers';
import { bodyOfReplay, createSubmission, tenantOfForm } from './create-submission';
import type { HolderDeps } from './holder.routes';
import { readFormState } from './form-state';
import { resumeSubmission } from './resume-submission';
import { createdSubmission, formState, resumedSubmission } from './respondent-answers';
import { answerBytes, respondentChanges, type SubmissionChanges } from './submission-body';
import { holderOf } from './submission-token';

export interface RespondentDeps extends HolderDeps {
  submitters: Submitters;
  challenges: Challenges;
}

/** Operations for respondents without a submission: anonymous, or identified by a bearer token. */
export const respondentRoutes = (deps: RespondentDeps): Endpoint[] => [createRoute(deps), stateRoute(deps)];

function createRoute({
  db: pool,
  answerCheck,
  bodies,
  idempotency,
  submitters,
  challenges,
  use,
  countDropped,
  graceMinutes,
}: Omit<RespondentDeps, 'wake'>): Endpoint {
  const submitterOf = onceARequest(submitters);
  const faultsOf = checksOfCreates({ db: pool, answerCheck });
  return endpoint.write({
    method: 'post',
    path: '/api/forms/:formId/submissions',
    operationId: 'createSubmission',
    audit: { notRecorded: 'answers of a respondent' },
    summary: 'A respondent starts or completes a submission',
    description:
      'A bearer token says who the respondent is: they are resolved to a submitter, whose id, display id and profile fields are kept with the submission. Members of the body that would say so have no effect. A form that is not public requires the permission `Submissions.Create`. On a form with `limitOnePerUser` an identified respondent has one submission. While it is unfinished, a create returns it with another token and status 200; its former token ends. Its answers stay, unless the create completes it or screens it out. Once it is finished, a create is a 409 with `existingId`. With `Submissions.Test` a create makes a test submission instead. `isTest` creates one on any form. Emits `submission_completed`, or `submission_collection_status_changed` for a screen-out, if it is one or the other. Without a token it may need `X-Challenge-Response`, see `beginFormChallenge`.',
    access: 'optional',
    params: formParams,
    headers: { 'X-Challenge-Response': 'The response to the challenge of `beginFormChallenge`.' },
    body: bodies.create,
    bodyLimit: bodies.bodyLimit,
    // Keys belong to the tenant of the form, because an anonymous respondent has none.
    idempotency: {
      store: idempotency,
      tenantOf: ({ principal, params, db }) => principal?.tenantId ?? tenantOfForm(db, params.formId),
      // A custom extractor or a verifier may use the network, which must not happen in an open transaction.
      async before(input) {
        await submitterOf(input);
        if (input.principal === null) await challenges.assertAnswered(input.params.formId, input.headers);
        await faultsOf(input.request, placeOf(input));
      },
      bodyOfReplay,
    },
    answers: { 200: resumedSubmission, 201: createdSubmission },
    problems: [
      'authentication_required',
      'permission_denied',
      'challenge_required',
      'quota_exceeded',
      'conflict',
      'submission_already_exists',
      'form_disabled',
      'form_not_open',
      'form_closed',
      'form_full',
      'daily_quota_exceeded',
      'submitter_resolution_failed',
      'answer_check_unavailable',
    ],
    async handle({ request, principal, params: { formId }, body, traceparent, db, wake }) {
      const tenantId = principal?.tenantId ?? null;
      const changes = respondentChanges(body, countDropped);
      const answerFaults = await faultsOf(request, placeOf({ principal, params: { formId }, body }));
      const isTest = body.isTest === true;
      if (isTest) requirePermission(principal, 'Submissions.Test');
      const create = {
        formId,
        tenantId,
        submitter: await submitterOf({ request, principal }),
        mayTest: principal?.permissions.has('Submissions.Test') ?? false,
        isTest,
        mayAnswerPrivate: principal?.permissions.has('Submissions.Create') ?? false,
        onBehalfBy: null,
        tokenHolder: holderOf(principal),
        changes,
        answerFaults,
        traceparent,
      };
      const added = { formId, tenantId, creates: 1, bytes: answerBytes(changes) } as const;
      try {
        const submission = await use.counted(added, () => createSubmission({ db, wake }, create));
        return created(`/api/forms/${formId}/submissions/${submission.id}`, submission, {
          etag: submission.revision,
        });
      } catch (problem) {
        if (!(problem instanceof Problem) || !mayResume.has(problem.errorCode)) throw problem;
        const again = { ...added, creates: 0 } as const;
        const resumed = await use.counted(again, () => resumeSubmission({ db, wake, graceMinutes }, create));
        if (resumed === null) throw problem;
        return ok(resumed, { etag: resumed.revision });
      }
    },
  });
}

const placeOf = ({
  principal,
  params: { formId },
  body,
}: {
  principal: Principal | null;
  params: { formId: string };
  body: SubmissionChanges;
}) => ({
  formId,
  tenantId: principal?.tenantId ?? null,
  mayAnswerPrivate: principal?.permissions.has('Submissions.Create') ?? false,
  changes: body,
});

/** Refusals of a create that leave an unfinished submission to its respondent. */
const mayResume: ReadonlySet<string> = new Set(['submission_already_exists', 'form_closed', 'form_full']);

function stateRoute({ db, submitters, graceMinutes }: RespondentDeps): Endpoint {
  return endpoint.read({
    method: 'get',
    path: '/api/public/forms/:formId/state',
    operationId: 'getFormState',
    summary: 'What the caller can do with a form: begin, continue, or nothing',
    description:
      'A form with `limitOnePerUser` knows the submission of an identified respondent; all others find `none` as long as the form accepts submissions.',
    access: 'optional',
    params: formParams,
    answers: { 200: formState },
    problems: ['authentication_required', 'permission_denied', 'submitter_resolution_failed'],
    async handle({ principal, params: { formId } }) {
      const submitter = await submitters.ofCaller(principal);
      return ok(await readFormState(db, { formId, principal, submitter, graceMinutes }));
    },
  });
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
