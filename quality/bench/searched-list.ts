import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as Postgres } from 'pg';
import { clientOf, login } from '@canvass/testing';
import type { StackFile } from '@canvass/stack';
import { generatedCsv, generatedItems } from './generated-list';
import { percentile } from './statistics';

export const modes = ['Contains', 'StartsWith'] as const;
export const lengths = [1, 2, 3, 8] as const;
export type Mode = (typeof modes)[number];

/** A list that a form may read, and what one needs to search it. */
export interface SearchedList {
  id: string;
  items: number;
  headers: { authorization: string };
  /** Paths of searches for so many letters of labels that the list has. */
  paths(mode: Mode, length: number): string[];
  /** The same queries alone. */
  queries(mode: Mode, length: number): string[];
}

export const locale = 'de';
const queriesEach = 400;

/** Imports generated items through the gateway, makes a form that may read them and gets its token. */
export async function searchedList({ gatewayUrl, demo }: StackFile, items: number): Promise<SearchedList> {
  const bearer = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
  const client = clientOf(gatewayUrl, bearer);
  const { id } = await client.post<{ id: string }>('/api/data-lists', { name: `${items} items` });
  const imported = await fetch(`${gatewayUrl}/api/data-lists/${id}/import?ensureLocales=de,pl`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'text/csv' },
    body: Readable.toWeb(Readable.from(generatedCsv({ items }), { objectMode: false })),
    duplex: 'half',
  } as RequestInit);
  if (!imported.ok) throw new Error(`the import answered ${imported.status}: ${await imported.text()}`);
  const form = await client.post<{ id: string }>('/api/forms', {
    name: 'Bench',
    isEnabled: true,
    dataListIds: [id],
  });
  const access = await clientOf(gatewayUrl).post<{ token: string }>(
    `/api/public/forms/${form.id}/access-tokens`,
    {},
  );
  const labels = sampleOfLabels(items);
  const queries = (mode: Mode, length: number) =>
    Array.from({ length: queriesEach }, (_, n) => {
      const label = labels[(n * 7 + length) % labels.length]!;
      const from = mode === 'StartsWith' ? 0 : (n * 3) % Math.max(1, label.length - length + 1);
      return label.slice(from, from + length).trim() || 'a';
    });
  return {
    id,
    items,
    headers: { authorization: `Bearer ${access.token}` },
    queries,
    paths: (mode, length) =>
      queries(mode, length).map(
        (query) =>
          `/api/public/forms/${form.id}/data-lists/${id}/search?${new URLSearchParams({ query, matchMode: mode, locale })}`,
      ),
  };
}

/** Labels of the locale that are long enough, from all over the list. */
function sampleOfLabels(items: number): string[] {
  const labels: string[] = [];
  let n = 0;
  for (const item of generatedItems({ items: Math.min(items, 50_000) })) {
    const label = item.labels[locale];
    if (n++ % 37 === 0 && label !== undefined && label.length >= 10) labels.push(label);
  }
  return labels;
}

/** Waits until a search is answered; gives the milliseconds it took. */
export async function firstAnswer(gatewayUrl: string, list: SearchedList): Promise<number> {
  const started = performance.now();
  for (;;) {
    const [path] = list.paths('Contains', 3);
    const answer = await fetch(gatewayUrl + path!, { headers: list.headers });
    await answer.arrayBuffer();
    if (answer.ok) return performance.now() - started;
    if (performance.now() - started > 120_000) throw new Error(`no search was answered: ${answer.status}`);
    await sleep(5);
  }
}

/** What others do: ILIKE over the jsonb of the labels, sorted, with a count of all. */
export const ilike = `
  select value, labels, count(*) over () as total from datalists.items
  where list_id = $1 and version = (select items_version from datalists.data_lists where id = $1)
    and (value ilike $2 or coalesce(labels ->> '${locale}', labels ->> 'default') ilike $2)
  order by coalesce(labels ->> '${locale}', labels ->> 'default'), value limit 25`;

/** Median milliseconds of some of the queries by ILIKE, one after the other. */
export async function ilikeMs(
  client: Postgres,
  list: SearchedList,
  mode: Mode,
  length: number,
): Promise<number> {
  const took: number[] = [];
  for (const query of list.queries(mode, length).slice(0, 5)) {
    const started = performance.now();
    await client.query(ilike, [list.id, mode === 'Contains' ? `%${query}%` : `${query}%`]);
    took.push(performance.now() - started);
  }
  return percentile(took, 0.5);
}
