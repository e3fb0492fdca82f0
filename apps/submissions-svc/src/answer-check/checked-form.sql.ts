import { statement } from '@canvass/postgres';

/** What happens with answers that the form does not permit. */
export const answerChecks = ['off', 'report', 'enforce'] as const;

export type AnswerCheckMode = (typeof answerChecks)[number];

/** A form whose answers are checked. */
export interface CheckedForm {
  tenantId: string;
  id: string;
  revision: string;
  mode: Exclude<AnswerCheckMode, 'off'>;
}

/** Columns of the form `f` for a check. */
export const checkedForm = `f.tenant_id as "tenantId", f.id, f.revision, f.answer_check as mode`;

/** Returns no row for a form that is not checked, and for one that the caller may not answer. */
export const findCheckedForm = statement<
  { formId: string; tenantId: string | null; mayAnswerPrivate: boolean },
  CheckedForm
>(
  'answer_check_find_form',
  `select ${checkedForm} from forms f
   where f.id = $formId and f.deleted_at is null and ($tenantId::bigint is null or f.tenant_id = $tenantId::bigint)
     and f.answer_check <> 'off' and f.is_enabled and (f.is_public or ($mayAnswerPrivate::boolean and $tenantId::bigint is not null))`,
);

/** The definition as JSON text. */
export const readDefinition = statement<{ tenantId: string; id: string }, { text: string }>(
  'answer_check_read_definition',
  `select f.definition::text as text from forms f where f.tenant_id = $tenantId and f.id = $id`,
);
