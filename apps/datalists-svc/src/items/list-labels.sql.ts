import { statement, type Queryable } from '@canvass/postgres';
import { defaultKey, labelKeyOf, type LocaleCatalog } from '../catalog';

/** Values by the id of their list. */
export type ValuesByList = ReadonlyMap<string, readonly string[]>;

/** The label of a value: now, and since when it had another one. Null: the list had no such value. */
export interface LabelsOfValue {
  value: string;
  current: string | null;
  /** Of the versions that can be restored, the oldest first; equal neighbours are one. */
  history: { from: string; text: string | null }[];
}

interface VersionRow {
  list_id: string;
  items_version: string;
  default_locale: string;
  available_locales: string[];
  /** Null for the items in force. */
  created_at: Date | null;
}

const versionsOf = statement<{ tenantId: string; listIds: readonly string[] }, VersionRow>(
  'list-label-versions',
  `select list_id, items_version, default_locale, available_locales, created_at from (
     select list_id, items_version, default_locale, available_locales, created_at, number from data_list_versions
     where tenant_id = $tenantId and list_id = any ($listIds::bigint[])
     union all
     select id, items_version, default_locale, available_locales, null, null from data_lists
     where tenant_id = $tenantId and id = any ($listIds::bigint[])
   ) versions order by list_id, number`,
);

/** The lateral query with its limit makes each lookup one of the index by value; see `schema.sql`. */
const labelsOf = statement<
  {
    tenantId: string;
    listIds: readonly string[];
    versions: readonly string[];
    keys: readonly string[];
    valueLists: readonly string[];
    values: readonly string[];
  },
  { version: string; key: string; value: string; text: string }
>(
  'list-label-texts',
  `select asked.version, asked.key, item.value, item.text
   from unnest($listIds::bigint[], $versions::bigint[], $keys::text[]) asked (list_id, version, key)
   join unnest($valueLists::bigint[], $values::text[]) wanted (list_id, value) on wanted.list_id = asked.list_id
   cross join lateral (
     select value, coalesce(labels ->> asked.key, labels ->> 'default') as text from items
     where tenant_id + 0 = $tenantId and list_id + 0 = asked.list_id and version + 0 = asked.version
       and value = wanted.value
     limit 1
   ) item`,
);

/** Labels of values in a locale, then and now. A list that does not exist is left out. */
export async function readListLabels(
  db: Queryable,
  { tenantId, locale, lists }: { tenantId: string; locale: string; lists: ValuesByList },
): Promise<Map<string, LabelsOfValue[]>> {
  const rows = await db.query(versionsOf({ tenantId, listIds: [...lists.keys()] }));
  const versions = rows.map((row) => ({ ...row, key: keyIn(row, locale) }));
  const pairs = [...lists].flatMap(([id, values]) => values.map((value) => ({ id, value })));
  const asked = [...new Map(versions.map((version) => [textKey(version), version])).values()];
  const found = await db.query(
    labelsOf({
      tenantId,
      listIds: asked.map(({ list_id }) => list_id),
      versions: asked.map(({ items_version }) => items_version),
      keys: asked.map(({ key }) => key),
      valueLists: pairs.map(({ id }) => id),
      values: pairs.map(({ value }) => value),
    }),
  );
  const texts = new Map(
    found.map(({ version, key, value, text }) => [textKey({ items_version: version, key, value }), text]),
  );
  return new Map(
    [...new Set(versions.map(({ list_id }) => list_id))].map((id) => {
      const ofList = versions.filter(({ list_id }) => list_id === id);
      return [id, lists.get(id)!.map((value) => labelsOfValue(value, ofList, texts))];
    }),
  );
}

const textKey = (at: { items_version: string; key: string; value?: string }): string =>
  `${at.items_version} ${at.key} ${at.value ?? ''}`;

function labelsOfValue(
  value: string,
  versions: readonly (VersionRow & { key: string })[],
  texts: ReadonlyMap<string, string>,
): LabelsOfValue {
  const labels: LabelsOfValue = { value, current: null, history: [] };
  for (const version of versions) {
    const text = texts.get(textKey({ ...version, value })) ?? null;
    const from = version.created_at?.toISOString();
    if (from === undefined) labels.current = text;
    else if (labels.history.at(-1)?.text !== text) labels.history.push({ from, text });
  }
  return labels;
}

/** The key of the labels in a locale, in its language, or of the default ones. */
function keyIn(
  { default_locale: defaultLocale, available_locales: availableLocales }: VersionRow,
  locale: string,
): string {
  const list: LocaleCatalog = { defaultLocale, availableLocales };
  return labelKeyOf(list, locale) ?? labelKeyOf(list, locale.split('-')[0]!) ?? defaultKey;
}
