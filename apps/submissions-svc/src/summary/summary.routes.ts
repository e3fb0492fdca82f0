import { requirePermission } from '@canvass/auth';
import { endpoint, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import { filterOf, filterQuery, type FilterQuery } from '../submissions';
import { readSummary, type SummaryDeps } from './read-summary';
import { formSummary } from './summary-answers';

const query = Joi.object<FilterQuery & { locale: string }>({
  ...filterQuery,
  locale: Joi.string()
    .max(35)
    .allow('')
    .default('')
    .description('of titles and labels; without it, or where a text has no such locale, the default one')
    .example('de'),
});

/** What was answered to a form. */
export const summaryRoutes = (deps: SummaryDeps & { profileFields: readonly string[] }): Endpoint[] => [
  endpoint.read({
    method: 'get',
    path: '/api/forms/:formId/summary',
    operationId: 'getFormSummary',
    summary: 'Answers of the submissions of a form, counted by question',
    description:
      'Questions and choices are those of the current definition (SurveyJS). The filter is that of the list of submissions, and each bar has as many submissions as the list finds with `answers.<path>:<value>` beside it. If each answer has one value, bars, `rest` and `skipped` add up to `counted`. Of many submissions (30,000, or 400,000 answers) a sample is read, the same one each time, and `isExact` is false. Numbers are compared with `>:` and `<` of the edges of a bucket. With `deleted=true` it requires the permission `Submissions.Delete`, too.',
    access: { permission: 'Submissions.View' },
    params: formParams,
    query,
    answers: { 200: formSummary },
    problems: ['query_too_broad'],
    async handle({ principal, params: { formId }, query: { locale, ...asked } }) {
      if (asked.deleted) requirePermission(principal, 'Submissions.Delete');
      const filter = filterOf(principal.tenantId, formId, asked, deps.profileFields);
      return ok(await readSummary(deps, filter, locale));
    },
  }),
];
