import type { DataListItem, DataListView } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import { ok, pageOf, streamed, streamText, type Answer, type Page } from '@canvass/service-kit';
import { selectListById, selectListPage, viewOf, type ListRow } from './catalog.sql';
import { labelKeysOf, pickLabels } from './culture-key';
import type { ListsQuery } from './catalog.schemas';

/** A list of the tenant. @throws {Problem} `not_found` */
export async function findList(db: Queryable, tenantId: string, id: string): Promise<ListRow> {
  const row = await selectListById(db, tenantId, id);
  if (row === undefined) throw notFound('data list', id);
  return row;
}

export async function listLists(
  db: Queryable,
  tenantId: string,
  query: ListsQuery,
): Promise<Page<DataListView>> {
  const locales = (query.hasLocale ?? []).map((locale) => locale.toLowerCase());
  const filter = { search: query.search, locales: locales.length === 0 ? null : locales };
  const window = { limit: query.pageSize, offset: (query.page - 1) * query.pageSize };
  const { total, rows } = await selectListPage(db, tenantId, filter, window);
  return pageOf(rows.map(viewOf), total, query);
}

/** The list. With items it is streamed, because it may have a million of them. */
export function answerList(row: ListRow, items: AsyncIterable<readonly DataListItem[]> | null): Answer {
  const view = viewOf(row);
  if (items === null) return ok(view, { etag: row.revision });
  return streamed('application/json; charset=utf-8', streamText(withItems(view, items)), {
    etag: row.revision,
  });
}

async function* withItems(
  view: DataListView,
  batches: AsyncIterable<readonly DataListItem[]>,
): AsyncGenerator<string> {
  const keys = labelKeysOf(view);
  yield `${JSON.stringify(view).slice(0, -1)},"items":[`;
  let separator = '';
  for await (const batch of batches) {
    yield separator + batch.map((item) => JSON.stringify(pickLabels(item, keys))).join(',');
    separator = ',';
  }
  yield ']}';
}
