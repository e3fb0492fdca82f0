import type { FormSummary } from '../src/summary/read-summary';
import type { QuestionSummary } from '../src/summary/question-summary';
import type { Harness, Tenant } from './harness';
import { pathOf, type Submission } from './submission-calls';

/** Stores answers as they are, odd ones too. */
export const storeAll = (test: Harness, tenant: Tenant, formId: string, jsonData: readonly string[]) =>
  test.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, collection_status, json_data, metadata)
     select $1, $2, false, false, 0, 'in_progress', unnest($3::text[]), '{}'`,
    [tenant.id, formId, jsonData],
  );

export async function summaryOf(tenant: Tenant, formId: string, query = ''): Promise<FormSummary> {
  const { status, body } = await tenant.admin.get<FormSummary>(`/api/forms/${formId}/summary?${query}`);
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return body;
}

/** What `total=exact` of the list says with filters beside those of the query. */
export async function totalOf(
  tenant: Tenant,
  formId: string,
  filters: string[],
  query = '',
): Promise<number> {
  const added = filters.map((filter) => `&filter=${encodeURIComponent(filter)}`).join('');
  const { status, body } = await tenant.admin.get<{ total: number; items: Submission[] }>(
    `${pathOf(formId)}?total=exact&limit=1&${query}${added}`,
  );
  expect([status, filters]).toEqual([200, filters]);
  return body.total;
}

/** A value as the grammar of filters writes it. */
const written = (value: string) =>
  (value === '' ? '\\' : value).replaceAll('|', '\\|').replace(/^(\\*)null$/, '\\$1null');

/** Follows every bar, bucket and count of those who skipped, and returns what the grid has for each. */
export async function followed(tenant: Tenant, formId: string, question: QuestionSummary, query = '') {
  const { path, kind, bars, buckets } = question;
  const ask = (...filters: string[]) => totalOf(tenant, formId, filters, query);
  const counts = {
    bars: [] as number[],
    buckets: [] as number[],
    skipped: await ask(`answers.${path}:null`),
  };
  if (kind === 'choices')
    for (const { value } of bars) counts.bars.push(await ask(`answers.${path}:${written(value)}`));
  for (const { from, to } of buckets)
    counts.buckets.push(await ask(`answers.${path}>:${from}`, `answers.${path}<${to}`));
  return counts;
}
