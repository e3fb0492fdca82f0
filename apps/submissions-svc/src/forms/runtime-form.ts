import { requirePermission, type Principal } from '@canvass/auth';
import type { FormView } from '@canvass/contracts';
import { notFound, Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { getRuntimeForm } from './forms.sql';

/** The data that a form runtime needs, without management data. */
export type RuntimeForm = Pick<
  FormView,
  | 'id'
  | 'name'
  | 'description'
  | 'definition'
  | 'dataListIds'
  | 'opensAt'
  | 'closesAt'
  | 'maxSubmissions'
  | 'revision'
>;

/**
 * The form for its respondents. A public and enabled form needs no token. A form that is not public requires
 * the permission `Submissions.Create`.
 *
 * @throws {Problem} `not_found` (also for a caller of another tenant), `form_disabled`,
 * `authentication_required`, `permission_denied`
 */
export async function readRuntimeForm(
  db: Database,
  formId: string,
  principal: Principal | null,
): Promise<{ tenantId: string; form: RuntimeForm }> {
  const [row] = await db.query(getRuntimeForm({ id: formId }));
  if (!row || (principal && principal.tenantId !== row.tenant_id)) throw notFound('form', formId);
  const { id, name, description, definition, dataListIds, opensAt, closesAt, maxSubmissions, revision } =
    row.view;
  const { isEnabled, isPublic } = row.view;
  if (!principal && isPublic && !isEnabled) throw new Problem('form_disabled');
  if (!isPublic) requirePermission(principal, 'Submissions.Create');
  return {
    tenantId: row.tenant_id,
    form: { id, name, description, definition, dataListIds, opensAt, closesAt, maxSubmissions, revision },
  };
}
