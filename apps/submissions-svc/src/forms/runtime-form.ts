import { requirePrincipal, type Principal } from '@canvass/auth';
import type { FormView } from '@canvass/contracts';
import { notFound, Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { getRuntimeForm, type RuntimeFormRow } from './forms.sql';

/** What a form runtime needs, and nothing of how the form is managed. */
export type RuntimeForm = Pick<
  FormView,
  'id' | 'name' | 'description' | 'definition' | 'dataListIds' | 'revision'
>;

/**
 * The form for whoever fills it in: for anybody if it is public and enabled, else for callers of its tenant.
 *
 * @throws {Problem} `not_found` (also for a caller of another tenant), `form_disabled`, `authentication_required`
 */
export async function readRuntimeForm(
  db: Database,
  formId: string,
  principal: Principal | null,
): Promise<{ tenantId: string; form: RuntimeForm }> {
  const [row] = await db.query<RuntimeFormRow>(getRuntimeForm, [formId]);
  if (!row || (principal && principal.tenantId !== row.tenant_id)) throw notFound('form', formId);
  const { id, name, description, definition, dataListIds, revision, isEnabled, isPublic } = row.view;
  if (!principal && isPublic && !isEnabled) throw new Problem('form_disabled');
  if (!isPublic) requirePrincipal(principal);
  return { tenantId: row.tenant_id, form: { id, name, description, definition, dataListIds, revision } };
}
