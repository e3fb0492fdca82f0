import { requirePermission } from '@canvass/auth';
import type { Wake } from '@canvass/outbox';
import { within, type Transactor } from '@canvass/postgres';
import { created, endpoint, type Endpoint } from '@canvass/service-kit';
import { formParams } from '../form-params';
import { createLink, type LinkBody, type NewLinkView } from '../links';
import type { Submitters } from '../submitters';
import { checksOfCreates } from './check-answers';
import { bodyOfReplay, createSubmission, type CreatedSubmission } from './create-submission';
import { createdOnBehalf } from './submission-answers';
import { answerBytes } from './submission-body';
import type { SubmissionDeps } from './submissions.routes';

const paths = [
  { path: '/api/forms/:formId/submissions/onbehalf', operationId: 'createSubmissionOnBehalf' },
  { path: '/forms/:formId/submissions/onbehalf', operationId: 'createSubmissionOnBehalfUnprefixed' },
];

/** Endpoints for trusted integrations. The specification has the path without `/api`, so both are served. */
export function onBehalfRoutes({
  db: pool,
  answerCheck,
  bodies,
  idempotency,
  submitters,
  use,
}: Pick<SubmissionDeps, 'db' | 'answerCheck' | 'bodies' | 'idempotency' | 'use'> & {
  submitters: Submitters;
}): Endpoint[] {
  const faultsOf = checksOfCreates({ db: pool, answerCheck });
  return paths.map((place) =>
    endpoint.write({
      method: 'post',
      ...place,
      audit: { notRecorded: 'answers of a respondent; the submission keeps who saved them' },
      summary: 'A trusted integration creates a submission for a named respondent, or an anonymous one',
      description:
        'The submitter is found by `authProvider` and `externalSubjectId`, or created; its display id and profile are refreshed, unless another provider knows it. `authProvider` may be `Service` or a configured identity provider only if `Service:Submitter:IntegrationsMayName` lists it. The submission keeps the integration as `createdBy`. Only the fields of the profile that `Service:Submitter:ProfileSnapshotFields` lists are stored; the response names the others. `link` makes a link for the respondent with it; `edit` needs `Submissions.Edit`, too. On a form with `limitOnePerUser` a second submission of one submitter is a 409 with `existingId`. Do not pass on what a browser says about who it is.',
      access: { permission: 'Submissions.CreateOnBehalf' },
      params: formParams,
      body: bodies.onBehalf,
      bodyLimit: bodies.bodyLimit,
      idempotency: {
        store: idempotency,
        async before({ request, principal: { tenantId }, params: { formId }, body }) {
          await faultsOf(request, { formId, tenantId, mayAnswerPrivate: true, changes: body });
        },
        // Who repeats a request may not be who had the link.
        async bodyOfReplay(body, tenantId, unit) {
          const { link, ...submission } = body as CreatedSubmission & { link: NewLinkView | null };
          const replay = await bodyOfReplay(submission, tenantId, unit);
          return { ...replay, link: link && { ...link, token: null } };
        },
      },
      answers: { 201: createdOnBehalf },
      problems: [
        'quota_exceeded',
        'conflict',
        'submission_already_exists',
        'form_disabled',
        'form_not_open',
        'form_closed',
        'form_full',
        'daily_quota_exceeded',
        'answer_check_unavailable',
      ],
      async handle({
        request,
        principal,
        params: { formId },
        body: { submitter, link: asked, ...changes },
        traceparent,
        db,
        wake,
      }) {
        const { tenantId, provider, kind, subject } = principal;
        if (asked?.right === 'edit') requirePermission(principal, 'Submissions.Edit');
        const place = { formId, tenantId, mayAnswerPrivate: true, changes };
        const answerFaults = await faultsOf(request, place);
        const onBehalfBy = { provider, kind, subject };
        const create = {
          formId,
          tenantId,
          // Never the caller: the account of an integration is not a respondent.
          submitter: submitter ? submitters.ofPayload(submitter) : null,
          mayTest: false,
          isTest: false,
          mayAnswerPrivate: true,
          onBehalfBy,
          tokenHolder: null,
          changes,
          answerFaults,
          traceparent,
        };
        const added = { formId, tenantId, creates: 1, bytes: answerBytes(changes) } as const;
        const createWithLink = (tx: Transactor, link: LinkBody) =>
          tx.transaction(async (inner) => {
            const wakeLater: Wake = (...which) => inner.afterCommit(() => wake(...which));
            const submission = await createSubmission({ db: within(inner), wake: wakeLater }, create);
            const place = { tenantId, formId, submissionId: submission.id };
            return {
              ...submission,
              link: await createLink(inner, place, link, { createdBy: onBehalfBy }),
            };
          });
        const submission = await use.counted(added, async () =>
          asked
            ? createWithLink(db, asked)
            : { ...(await createSubmission({ db, wake }, create)), link: null },
        );
        const ignoredProfileFields = submitters.ignoredFields(submitter?.profile);
        return created(
          `/api/forms/${formId}/submissions/${submission.id}`,
          { ...submission, ignoredProfileFields },
          { etag: submission.revision },
        );
      },
    }),
  );
}
