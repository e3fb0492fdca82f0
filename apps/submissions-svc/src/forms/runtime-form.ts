import { requirePermission, type Principal } from '@canvass/auth';
import type { FormView } from '@canvass/contracts';
import { notFound, Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { isLinkToken, openLink } from '../links';
import { findFormBySlug, getRuntimeForm } from './forms.sql';

const members = [
  'id',
  'name',
  'description',
  'definition',
  'dataListIds',
  'opensAt',
  'closesAt',
  'maxSubmissions',
  'page',
  'revision',
] as const;

/** The data that a form runtime needs, without management data. */
export type RuntimeForm = Pick<FormView, (typeof members)[number]>;

/**
 * The form for its respondents, by its id or slug. A public and enabled form needs no token. A form that is
 * not public requires the permission `Submissions.Create`, or a link to a submission of it.
 *
 * @throws {Problem} `not_found` (also for a caller of another tenant), `form_disabled`,
 * `authentication_required`, `permission_denied`, and as `openLink`
 */
export async function readRuntimeForm(
  db: Database,
  idOrSlug: string,
  principal: Principal | null,
  token = '',
): Promise<{ tenantId: string; isPublic: boolean; form: RuntimeForm }> {
  const [named] = isId(idOrSlug) ? [{ id: idOrSlug }] : await db.query(findFormBySlug({ slug: idOrSlug }));
  const [row] = named ? await db.query(getRuntimeForm(named)) : [];
  if (!row || (principal && principal.tenantId !== row.tenant_id)) throw notFound('form', idOrSlug);
  const { id, isEnabled, isPublic } = row.view;
  if (!principal && isPublic && !isEnabled) throw new Problem('form_disabled');
  if (!isPublic) {
    if (isLinkToken(token)) await openLink(db, { formId: id, tenantId: row.tenant_id, token });
    else requirePermission(principal, 'Submissions.Create');
  }
  const form = Object.fromEntries(members.map((name) => [name, row.view[name]])) as unknown as RuntimeForm;
  return { tenantId: row.tenant_id, isPublic, form };
}

const isId = (text: string): boolean => /^[0-9]+$/.test(text);
