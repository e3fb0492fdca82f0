import { statement, type Queryable } from '@canvass/postgres';
import { answerColumnsOf, type AnswerColumns } from './answer-columns';

interface FormKey {
  tenantId: string;
  formId: string;
}

const versionTimes = statement<FormKey, { revision: string; savedAt: string }>(
  'answer_texts_version_times',
  `select v.revision, api_time(v.saved_at) as "savedAt" from form_versions v
   where v.tenant_id = $tenantId and v.form_id = $formId order by v.revision`,
);

const definitionAt = statement<FormKey & { revision: string }, { definition: unknown }>(
  'answer_texts_definition',
  `select v.definition from form_versions v
   where v.tenant_id = $tenantId and v.form_id = $formId and v.revision = $revision`,
);

/** The columns of a form at a time (ISO); those of the present form before its oldest kept version. */
export type ColumnsAt = (time: string) => Promise<readonly AnswerColumns[]>;

/** Reads each version of the form once. */
export function createColumnsAt(
  db: Queryable,
  { tenantId, formId, locale }: FormKey & { locale: string },
  present: readonly AnswerColumns[],
): ColumnsAt {
  let times: { revision: string; savedAt: string }[] | undefined;
  const byRevision = new Map<string, readonly AnswerColumns[]>();
  return async (time) => {
    times ??= await db.query(versionTimes({ tenantId, formId }));
    const version = times.findLast(({ savedAt }) => savedAt <= time);
    if (version === undefined || version === times.at(-1)) return present;
    const { revision } = version;
    const known = byRevision.get(revision);
    if (known !== undefined) return known;
    const [row] = await db.query(definitionAt({ tenantId, formId, revision }));
    const columns = row ? answerColumnsOf(row.definition, locale) : present;
    byRevision.set(revision, columns);
    return columns;
  };
}

/** The columns of a file, with the labels of another version where it has the same question. */
export function withLabelsOf(
  columns: readonly AnswerColumns[],
  other: readonly AnswerColumns[],
): readonly AnswerColumns[] {
  if (columns === other) return columns;
  const byMember = new Map(other.map((answer) => [answer.member, answer]));
  return columns.map((answer) => {
    const then = byMember.get(answer.member);
    if (then?.shape !== answer.shape) return answer;
    const kinds = new Map(then.columns.map(({ name, kind }) => [name, kind]));
    return {
      ...answer,
      columns: answer.columns.map((column) => ({ ...column, kind: kinds.get(column.name) ?? column.kind })),
    };
  });
}
