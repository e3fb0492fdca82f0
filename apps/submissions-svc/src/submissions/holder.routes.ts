import type { SubmissionView } from '@canvass/contracts';
import { Problem } from '@canvass/errors';
import { endpoint, idSchema, ok, type Answer, type Endpoint, type EndpointInput } from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import { endedLink, isLinkToken, linkOf, openLink, type LinkRight } from '../links';
import { readByToken, requireHash } from './read-submission';
import { saveSubmission, type Save } from './save-submission';
import { heldSubmission, savedByToken } from './submission-answers';
import { answerBytes, respondentChanges, type SubmitterField } from './submission-body';
import type { SubmissionDeps } from './submissions.routes';

export interface HolderDeps extends SubmissionDeps {
  /** Counts an attempt to set a submitter in the body of a public request. */
  countDropped: (field: SubmitterField) => void;
}

interface TokenParams {
  formId: string;
  /** Absent if a header has the token. */
  token?: string;
}

/** The place where a request has the submission token. */
interface TokenPlace {
  path: string;
  params: Joi.ObjectSchema<TokenParams>;
  headers?: Record<string, string>;
  operationIds: { get: string; change: string };
  about: string;
}

const tokenDescription = '`token` from the response to the create, or of a link';

const inHeader: TokenPlace = {
  path: '/api/forms/:formId/submissions/by-token',
  params: formParams,
  headers: { 'X-Submission-Token': tokenDescription },
  operationIds: { get: 'getHeldSubmission', change: 'changeHeldSubmission' },
  about: 'The header `X-Submission-Token` has the token. Logs of proxies usually leave headers out.',
};

const inPath: TokenPlace = {
  path: '/api/forms/:formId/submissions/by-token/:token',
  params: Joi.object<TokenParams>({
    formId: idSchema.description('id of the form'),
    token: Joi.string().required().description(tokenDescription),
  }),
  operationIds: { get: 'getSubmissionByToken', change: 'changeSubmissionByToken' },
  about: 'Logs of proxies usually contain URLs: prefer the path without the token, with a header.',
};

const validity =
  'Each use of the token renews it, for at most 90 days or its validity. An expired or unknown token, one that completion used up, or one of a user who has lost their rights since, is a 404. The token of a link is not renewed and not used up: its `right` says what it permits; one that has ended is a 410.';

/** Operations for the holder of a submission token. */
export const holderRoutes = (deps: HolderDeps): Endpoint[] =>
  [inHeader, inPath].flatMap((place) => [getRoute(deps, place), changeRoute(deps, place)]);

const getRoute = (
  { db, revocations }: HolderDeps,
  { path, params, headers, operationIds, about }: TokenPlace,
): Endpoint =>
  endpoint.read({
    method: 'get',
    path,
    operationId: operationIds.get,
    summary: 'The submission of a token',
    description: `${validity} ${about}`,
    access: 'optional',
    params,
    ...(headers && { headers }),
    answers: { 200: heldSubmission },
    problems: [...endedLink],
    async handle(input) {
      const token = tokenOf(input);
      const { formId } = input.params;
      if (isLinkToken(token)) {
        const { view, right } = await openLink(db, { formId, tenantId: tenantOf(input), token });
        return toLinkHolder(view, right);
      }
      return toHolder(await readByToken(db, formId, token, input.principal, revocations), token);
    },
  });

const changeRoute = (
  deps: HolderDeps,
  { path, params, headers, operationIds, about }: TokenPlace,
): Endpoint =>
  endpoint.write({
    method: 'patch',
    path,
    operationId: operationIds.change,
    audit: { notRecorded: 'answers of a respondent' },
    summary: 'The holder of the token continues; completion uses the token up',
    description: `Absent members do not change; metadata is merged at its top level. \`collectionOutcome: screen_out\` screens the respondent out, wins over \`isComplete\`, and repeated is no change; any other save after it is a 409. ${validity} ${about}`,
    access: 'optional',
    params,
    ...(headers && { headers }),
    body: deps.bodies.respondent,
    bodyLimit: deps.bodies.bodyLimit,
    answers: { 200: savedByToken },
    problems: [
      'quota_exceeded',
      'daily_quota_exceeded',
      'submission_screened_out',
      'form_disabled',
      'form_closed',
      'submission_completed',
      'link_only_views',
      'answer_check_unavailable',
      ...endedLink,
    ],
    async handle(input) {
      const { body, ifMatch, traceparent } = input;
      const { formId } = input.params;
      const token = tokenOf(input);
      const { right, ...holder } = await saverOf(deps, input, token);
      const changes = respondentChanges(body, deps.countDropped);
      const save: Save = { ...holder, formId, changes, metadata: 'merge', ifMatch, traceparent };
      const added = { formId, tenantId: tenantOf(input), creates: 0, bytes: answerBytes(changes) } as const;
      const view = await deps.use.counted(added, () => saveSubmission(deps, save));
      return right === null ? toHolder(view, token) : toLinkHolder(view, right);
    },
  });

/** The tenant of the caller; null for an anonymous one. */
const tenantOf = ({ principal }: Pick<EndpointInput<TokenParams>, 'principal'>): string | null =>
  principal?.tenantId ?? null;

/**
 * Who saves what, and the right of a link; null for the token of a submission.
 *
 * @throws {Problem} `link_only_views`, and as `openLink`
 */
async function saverOf(
  { db }: Pick<HolderDeps, 'db'>,
  input: Pick<EndpointInput<TokenParams>, 'params' | 'principal'>,
  token: string,
): Promise<Pick<Save, 'tenantId' | 'holder' | 'target'> & { right: LinkRight | null }> {
  const tenantId = tenantOf(input);
  if (!isLinkToken(token))
    return { tenantId, holder: input.principal, target: { tokenHash: requireHash(token) }, right: null };
  const link = await openLink(db, { formId: input.params.formId, tenantId, token });
  const { right, submissionId } = link;
  if (right === 'view') throw new Problem('link_only_views');
  const target = { linkedId: submissionId, mayEdit: right === 'edit' };
  return { tenantId: link.tenantId, holder: null, target, right };
}

/** Empty without a token, which then is unknown like any other text. */
const tokenOf = ({ params, headers }: Pick<EndpointInput<TokenParams>, 'params' | 'headers'>): string =>
  params.token ?? linkOf(headers);

/** Shows the token: only its own holder gets it, and only while it is valid. */
const toHolder = (view: SubmissionView, token: string): Answer =>
  ok({ ...view, token: view.isComplete ? null : token, linkRight: null }, { etag: view.revision });

const toLinkHolder = (view: SubmissionView, linkRight: LinkRight): Answer =>
  ok({ ...view, token: null, linkRight }, { etag: view.revision });
