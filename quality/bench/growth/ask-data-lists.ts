import { ask, limit, numbered, type List, type Question } from './question';
import type { World } from './world';

/** Data lists, their items, versions and staged imports. */
export function dataLists({ listId, sizes, versionNumber, rejectedId, readyId }: World): Question[] {
  const lists: List = {
    name: 'data lists',
    operation: 'GET /api/data-lists',
    path: '/api/data-lists',
    table: 'data_lists',
  };
  const items: List = {
    name: 'data lists',
    operation: 'GET /api/data-lists/{id}/items',
    path: `/api/data-lists/${listId}/items`,
    table: 'items',
  };
  const part = (name: string, table: string, path = name): List => ({
    name: 'data lists',
    operation: `GET /api/data-lists/{id}/${name}`,
    path: `/api/data-lists/${listId}/${path}`,
    table,
  });
  const faults = part('imports/{importId}/faults', 'list_import_faults', `imports/${rejectedId}/faults`);
  const ofVersion = part('versions/{number}/items', 'items', `versions/${versionNumber}/items`);
  const changes = part('versions/{number}/difference', 'items', `versions/${versionNumber}/difference`);
  const staged = part('imports/{importId}/difference', 'items', `imports/${readyId}/difference`);
  return [
    ask(lists, 'lists, first page by key', { limit }),
    ask(lists, 'lists, first page by number', { page: '1', pageSize: limit }),
    ask(lists, 'lists, search', { limit, search: 'growth' }),
    ask(lists, 'lists, hasLocale', { limit, hasLocale: 'de' }),
    ask(items, 'items, first page by key', { limit }),
    ...numbered(items, sizes.items).map((each) => ({ ...each, what: `items, ${each.what}` })),
    ask(items, 'items, total=estimated', { limit, total: 'estimated' }),
    ask(items, 'items, query', { limit, query: 'bach', locale: 'de' }),
    ask(items, 'items, query, StartsWith', { limit, query: 'bach', locale: 'de', matchMode: 'StartsWith' }),
    ask(items, 'items, query in two locales', {
      limit,
      query: 'bach',
      includeLocales: 'de,pl',
      explain: 'true',
    }),
    ask(items, 'items, missing=de', { limit, missing: 'de' }),
    ask(part('versions', 'versions'), 'versions', { limit }),
    ask(ofVersion, 'items of a version', { limit }),
    ask(part('imports', 'list_imports'), 'imports', { limit }),
    ask(changes, 'changes since a version', { limit, kind: 'changed' }),
    ask(changes, 'changes between versions, query', { limit, to: versionNumber, query: 'bach' }),
    ask(changes, 'changes since a version, counts', { limit, counts: 'true' }),
    ask(staged, 'difference of an import', { limit, kind: 'removed' }),
    ask(staged, 'difference of an import, query', { limit, kind: 'removed', query: 'bach' }),
    ask(staged, 'difference of an import, counts', { limit, counts: 'true' }),
    ask(faults, 'faults of an import', { limit }),
    ask(faults, 'faults of an import by code', { limit, code: 'value_missing' }),
  ];
}
