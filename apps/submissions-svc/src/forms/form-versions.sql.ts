import { statement } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';

/** Number of definitions that a form keeps, the current one included. */
export const maxVersions = 100;

/** A definition of a form. */
export interface FormVersion {
  /** The first revision of the form with this definition. */
  revision: string;
  savedAt: string;
  savedBy: Actor | null;
}

export interface FormVersionDetail extends FormVersion {
  definition: Record<string, unknown>;
}

interface FormKey {
  tenantId: string;
  formId: string;
}

const ofForm = 'v.tenant_id = $tenantId and v.form_id = $formId';
const columns = `v.revision, api_time(v.saved_at) as "savedAt", v.saved_by as "savedBy"`;

/**
 * Stores the definition of a form that this transaction has created or changed, if it differs from the last
 * one, and deletes those above the limit.
 */
export const keepVersion = statement<FormKey & { savedBy: string }>(
  'form_versions_keep',
  `with kept as (
     insert into form_versions (tenant_id, form_id, revision, definition, saved_by)
     select f.tenant_id, f.id, f.revision, f.definition, $savedBy::json from forms f
     where f.tenant_id = $tenantId and f.id = $formId and f.definition::text is distinct from (
       select v.definition::text from form_versions v where ${ofForm} order by v.revision desc limit 1)
     returning revision)
   delete from form_versions v using kept
   where ${ofForm} and v.revision <= (
     select v.revision from form_versions v where ${ofForm} order by v.revision desc offset ${maxVersions - 1} limit 1)`,
);

/** Returns no row if there is no such form. */
export const findForm = statement<FormKey, { id: string }>(
  'form_versions_find_form',
  `select f.id from forms f where f.tenant_id = $tenantId and f.id = $formId and f.deleted_at is null`,
);

/** The versions of a form, for pages; the ids are the revisions. */
export const allVersions = statement<FormKey & { at: Date | null }, FormVersion & { id: string }>(
  'form_versions_all',
  `select v.revision as id, ${columns} from form_versions v
   where ${ofForm} and ($at::timestamptz is null or v.saved_at <= $at)`,
);

/** The definition of the form at a revision. */
export const getVersion = statement<FormKey & { revision: string }, FormVersionDetail>(
  'form_versions_get',
  `select ${columns}, v.definition from form_versions v
   join forms f on f.tenant_id = v.tenant_id and f.id = v.form_id and f.deleted_at is null
   where ${ofForm} and v.revision <= $revision and f.revision >= $revision order by v.revision desc limit 1`,
  { keepsNumbers: true },
);
