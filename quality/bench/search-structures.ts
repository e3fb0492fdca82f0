import type { Client } from 'pg';
import { locale, type Mode, type SearchedList } from './searched-list';
import { percentile } from './statistics';

/** A structure in Postgres that could answer searches, in the place of the one in memory. */
export interface Structure {
  name: string;
  /** Null: it is searched without any index. */
  index: string | null;
  modes: readonly Mode[];
  query: string;
}

const page = `order by (folded = $2) desc, (folded like $2 || '%') desc, shown collate "de-x-icu", value limit 25`;
const counted = (condition: string) =>
  `select value, labels, count(*) over () as total from bench_search where $1::text is not null and ${condition} ${page}`;

/** All over the same rows, each with the folded text of the shown label, exact totals and the order of the language. */
export const structures: readonly Structure[] = [
  {
    name: 'trigram GIN on the folded label',
    index: 'create index bench_structure on bench_search using gin (folded extensions.gin_trgm_ops)',
    modes: ['Contains', 'StartsWith'],
    query: counted('folded like $1'),
  },
  {
    name: 'prefix btree (text_pattern_ops)',
    index: 'create index bench_structure on bench_search (folded text_pattern_ops)',
    modes: ['StartsWith'],
    query: counted('folded like $1'),
  },
  {
    name: 'folded label without an index',
    index: null,
    modes: ['Contains', 'StartsWith'],
    query: counted('folded like $1'),
  },
];

/** The current items of the list in a table of their own, with the label that is shown and its folded form. */
export async function copyItems(client: Client, list: SearchedList): Promise<void> {
  await client.query('set search_path = public, extensions');
  await client.query('drop table if exists bench_search');
  await client.query(
    `create table bench_search as
     select value, labels, shown, lower(extensions.unaccent(shown)) as folded
     from (select value, labels, coalesce(labels ->> '${locale}', labels ->> 'default') as shown
           from datalists.items where list_id = $1
             and version = (select items_version from datalists.data_lists where id = $1)) items`,
    [list.id],
  );
  await client.query('vacuum analyze bench_search');
}

/** Builds the structure; gives what that took. */
export async function build(client: Client, { index }: Structure): Promise<{ seconds: number; mb: number }> {
  await client.query('drop index if exists bench_structure');
  if (index === null) return { seconds: 0, mb: 0 };
  const started = performance.now();
  await client.query(index);
  const seconds = (performance.now() - started) / 1000;
  await client.query('vacuum analyze bench_search');
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_relation_size('bench_structure') as bytes`,
  );
  return { seconds, mb: Number(rows[0]!.bytes) / 1024 ** 2 };
}

/** Median milliseconds of some of the list's queries, one after the other. */
export async function medianMs(
  client: Client,
  { query }: Structure,
  list: SearchedList,
  mode: Mode,
  length: number,
): Promise<number> {
  const took: number[] = [];
  for (const text of list.queries(mode, length).slice(0, queriesEach)) {
    const folded = await client.query<{ folded: string }>('select lower(extensions.unaccent($1)) as folded', [
      text,
    ]);
    const wanted = folded.rows[0]!.folded.replace(/[\\%_]/g, '\\$&');
    const started = performance.now();
    await client.query(query, [mode === 'Contains' ? `%${wanted}%` : `${wanted}%`, wanted]);
    took.push(performance.now() - started);
  }
  return percentile(took, 0.5);
}

export const queriesEach = 9;
