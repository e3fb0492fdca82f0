import { notFound, validationProblem } from '@canvass/errors';
import { statement, type Database } from '@canvass/postgres';
import { answeredAt, createAnswersReader, type TextsOfForm } from '../answer-texts';
import type { ReadListLabels } from '../list-labels';
import { getFormDefinition } from './read.sql';

/** The answers of a submission as people read them. */
export type TextsOfSubmission = TextsOfForm & { id: string };

export interface SubmissionTexts {
  items: TextsOfSubmission[];
  /** False: datalists-svc did not answer, and values of data lists are shown instead of labels. */
  hasListLabels: boolean;
}

/** They are held in memory. Ten submissions fit, even with the largest answers that can be configured. */
const maxBytes = 80 * 1024 * 1024;

const answersOf = statement<
  { tenantId: string; formId: string; ids: readonly string[]; maxBytes: number },
  { id: string; jsonData: string | null; at: string }
>(
  'submissions_answers_of',
  `select s.id, case when sum(octet_length(s.json_data)) over () <= $maxBytes then s.json_data end as "jsonData",
     ${answeredAt} as at
   from submissions s where s.tenant_id = $tenantId and s.form_id = $formId and s.id = any ($ids::bigint[])`,
);

/**
 * The answers of submissions of a form, in the order of their ids in the request; those that do not exist are
 * left out.
 *
 * @throws {Problem} `not_found` for the form, `validation_failed` for too large answers
 */
export async function readTexts(
  { db, readListLabels }: { db: Database; readListLabels: ReadListLabels },
  {
    tenantId,
    formId,
    ids,
    locale,
    questions,
  }: { tenantId: string; formId: string; ids: readonly string[]; locale: string; questions?: string[] },
): Promise<SubmissionTexts> {
  const [form] = await db.query(getFormDefinition({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
  const rows = await db.query(answersOf({ tenantId, formId, ids, maxBytes }));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const stored = ids.flatMap((id) => byId.get(id) ?? []);
  const answers = stored.map(({ jsonData, at }) => {
    if (jsonData === null)
      throw validationProblem({ ids: [`must be fewer: the answers have more than ${maxBytes} bytes`] });
    return { jsonData, at };
  });
  const { definition } = form;
  const reader = createAnswersReader({ db, readListLabels }, { tenantId, formId, definition, locale });
  const { texts, hasListLabels } = await reader.textsOf(answers);
  const wanted = questions === undefined ? null : new Set(questions);
  const items = stored.map(({ id }, n) => {
    const { answers: all, hasFormChanged } = texts[n]!;
    return { id, hasFormChanged, answers: all?.filter(({ name }) => wanted?.has(name) ?? true) ?? null };
  });
  return { items, hasListLabels };
}
