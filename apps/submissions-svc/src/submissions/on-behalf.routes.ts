import { created, endpoint, idSchema, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import type { Submitters } from '../submitters';
import { createSubmission } from './create-submission';
import { onBehalfSchema } from './submission-body';
import type { SubmissionDeps } from './submissions.routes';

const paths = [
  { path: '/api/forms/:formId/submissions/onbehalf', operationId: 'createSubmissionOnBehalf' },
  { path: '/forms/:formId/submissions/onbehalf', operationId: 'createSubmissionOnBehalfUnprefixed' },
];

/** For trusted integrations; the specification writes the path without `/api`, so that both are served. */
export function onBehalfRoutes(deps: SubmissionDeps & { submitters: Submitters }): Endpoint[] {
  return paths.map((place) =>
    endpoint.write({
      method: 'post',
      ...place,
      summary: 'A trusted integration creates a submission for the respondent it names, or for nobody',
      access: { permission: 'Submissions.CreateOnBehalf' },
      params: Joi.object<{ formId: string }>({ formId: idSchema }),
      body: onBehalfSchema,
      idempotency: { store: deps.idempotency },
      async handle({ principal, params: { formId }, body: { submitter, ...changes }, traceparent, unit }) {
        const submission = await createSubmission(unit ?? deps, {
          formId,
          tenantId: principal!.tenantId,
          // Never the caller: the integration's own account answers no forms.
          submitter: submitter ? deps.submitters.ofPayload(submitter) : null,
          mayTest: false,
          onBehalf: true,
          changes,
          traceparent,
        });
        return created(`/api/forms/${formId}/submissions/${submission.id}`, submission, {
          etag: submission.revision,
        });
      },
    }),
  );
}
