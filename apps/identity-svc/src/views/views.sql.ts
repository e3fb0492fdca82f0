import { hasText } from '@canvass/jobs';
import { statement } from '@canvass/postgres';
import type { ClientSettings, NewView, SavedView, Visibility } from './view';

/** A person, by the provider that identifies it. */
export interface Owner {
  tenantId: string;
  provider: string;
  subject: string;
}

const isOwn = '(owner_provider = $provider and owner_subject = $subject)';
const columns = `id, screen, scope_id as "scopeId", name, visibility, is_default as "isDefault", settings,
  ${isOwn} as "isOwn", revision, created_at as "createdAt", modified_at as "modifiedAt"`;
/** Views of others are not visible unless they are of the tenant. */
const visible = `tenant_id = $tenantId and (visibility = 'tenant' or ${isOwn})`;
const matching = `${visible} and ($screen::text is null or screen = $screen)
  and ($scopeId::bigint is null or scope_id = $scopeId)`;

type Filter = Owner & { screen: string | null; scopeId: string | null };

/** The views of a filter, for pages. */
export const matchingViews = statement<Filter, SavedView>(
  'views.matching',
  `select ${columns} from views where ${matching}`,
);

export const getView = statement<Owner & { id: string }, SavedView>(
  'views.get',
  `select ${columns} from views where ${visible} and id = $id`,
);

/** Serialises the changes of a tenant until the end of the transaction, for counts and defaults. */
export const lockViews = statement<{ tenantId: string }>(
  'views.lock',
  `select pg_advisory_xact_lock(hashtextextended('views of ' || $tenantId::bigint, 0))`,
);

/** Views that share a limit: those of a person, or those of the tenant. */
export const countLimited = statement<Owner & { visibility: Visibility }, { held: number }>(
  'views.count_limited',
  `select count(*)::integer as held from views
   where tenant_id = $tenantId and visibility = $visibility and ($visibility = 'tenant' or ${isOwn})`,
);

/** Ends a default before another view becomes that of the owner or of the tenant. */
export const endDefault = statement<
  Owner & { visibility: Visibility; screen: string; scopeId: string | null }
>(
  'views.end_default',
  `update views set is_default = false, revision = revision + 1, modified_at = now()
   where tenant_id = $tenantId and visibility = $visibility and ($visibility = 'tenant' or ${isOwn})
     and screen = $screen and scope_id is not distinct from $scopeId::bigint and is_default`,
);

export const insertView = statement<Owner & Omit<NewView, 'settings'> & { settings: string }, SavedView>(
  'views.insert',
  `insert into views (tenant_id, owner_provider, owner_subject, screen, scope_id, name, visibility, is_default, settings)
   values ($tenantId, $provider, $subject, $screen, $scopeId, $name, $visibility, $isDefault, $settings)
   returning ${columns}`,
);

/** A view that becomes visible to one person belongs to the one who changes it. */
export const updateView = statement<
  Owner & { id: string; name: string; visibility: Visibility; isDefault: boolean; settings: string },
  SavedView
>(
  'views.update',
  `update views set name = $name, visibility = $visibility, is_default = $isDefault, settings = $settings,
     owner_provider = case when $visibility = 'me' then $provider else owner_provider end,
     owner_subject = case when $visibility = 'me' then $subject else owner_subject end,
     revision = revision + 1, modified_at = now()
   where ${visible} and id = $id
   returning ${columns}`,
);

export const deleteView = statement<Owner & { id: string }>(
  'views.delete',
  `delete from views where ${visible} and id = $id`,
);

export const getPreferences = statement<Owner, { settings: ClientSettings; revision: string }>(
  'preferences.get',
  `select settings, revision from preferences
   where tenant_id = $tenantId and owner_provider = $provider and owner_subject = $subject`,
);

/** The language of an owner first, then the one that most persons of the tenant chose. */
export const findLanguage = statement<Owner & { known: string[] }, { language: string }>(
  'preferences.language',
  `select settings->>'language' as language from preferences
   where tenant_id = $tenantId and settings->>'language' = any($known::text[])
   group by 1 order by bool_or(${isOwn}) desc, count(*) desc, 1 limit 1`,
);

/** Returns no row if `expected`, a list of revisions, has not the current one; null: no condition. */
export const savePreferences = statement<
  Owner & { settings: string; expected: string[] | null },
  { settings: ClientSettings; revision: string }
>(
  'preferences.save',
  `insert into preferences as p (tenant_id, owner_provider, owner_subject, settings)
   select $tenantId, $provider, $subject, $settings
   where $expected::bigint[] is null or 0 = any($expected) or exists (
     select from preferences where tenant_id = $tenantId and owner_provider = $provider and owner_subject = $subject)
   on conflict (tenant_id, owner_provider, owner_subject) do update
     set settings = excluded.settings, revision = p.revision + 1
     where $expected::bigint[] is null or p.revision = any($expected)
   returning settings, revision`,
);

interface Erased {
  tenantId: string;
  /** The key of the row: its id, or its owner as JSON text. */
  key: string;
  name: string;
  settings: string;
}

const withTexts = (table: string, key: string, name: string) =>
  statement<
    { tenantId: string; texts: readonly string[] },
    Omit<Erased, 'tenantId' | 'settings'> & { settings: ClientSettings }
  >(
    `${table}.find_texts`,
    `select ${key} as key, ${name} as name, settings from ${table}
     where tenant_id = $tenantId and (${hasText(`to_json(${name})::text`)} or ${hasText('settings::text')}) for update`,
  );
const ownerKey = 'json_build_array(owner_provider, owner_subject)::text';

/** Rows that have a text, in any case of letters. Preferences have no name. */
export const findWithTexts = {
  views: withTexts('views', 'id::text', 'name'),
  preferences: withTexts('preferences', ownerKey, `''::text`),
};
export const replaceErased = {
  views: statement<Erased>(
    'views.replace_erased',
    `update views set name = $name, settings = $settings::json, revision = revision + 1, modified_at = now()
     where tenant_id = $tenantId and id = $key::bigint`,
  ),
  preferences: statement<Erased>(
    'preferences.replace_erased',
    `update preferences set settings = $settings::json, revision = revision + 1
     where tenant_id = $tenantId and $name = '' and ${ownerKey} = $key`,
  ),
};

/** Deletes what belongs to a person alone. Views of the tenant stay. */
export const deleteOwned = statement<Owner>(
  'views.delete_owned',
  `with v as (delete from views where tenant_id = $tenantId and visibility = 'me' and ${isOwn})
   delete from preferences where tenant_id = $tenantId and ${isOwn}`,
);
