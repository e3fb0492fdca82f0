/** A request that clients send to a list, with some values of its parameters. */
export interface Question {
  /** The operation of the API, `GET /api/forms`. */
  operation: string;
  /** The group in the table and in the plot. */
  list: string;
  what: string;
  /** Asked in turn. */
  paths: string[];
  /** Words of the statement that answers it. */
  table: string;
}

export type Parameters = Record<string, string | readonly string[]>;

/** A list of the API: its operation, its path with the ids of the world and its main table. */
export interface List {
  name: string;
  operation: string;
  path: string;
  table: string;
}

/** Records of a page. */
export const limit = '50';

/** Cursors as services make them: a client gets the same from a page. */
export const cursor = (order: string, ...keys: (string | null)[]): string =>
  Buffer.from(JSON.stringify([order, ...keys])).toString('base64url');

function pathOf(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const each of [value].flat()) query.append(name, each as string);
  return `${path}?${query}`;
}

/** Asks a list for one value of its parameters, or for several in turn. */
export const ask = (list: List, what: string, ...parameters: Parameters[]): Question => ({
  operation: list.operation,
  list: list.name,
  what,
  paths: parameters.map((each) => pathOf(list.path, each)),
  table: list.table,
});

/** The first, the middle and the last page by key, newest first, and the pages by number. */
export function pages(list: List, ids: readonly string[], rows: number, more: Parameters = {}): Question[] {
  const at = (id: string | undefined) => ({ ...more, limit, after: cursor('id desc', id ?? '1') });
  const middle = ids.slice(1, -1).map(at);
  return [
    ask(list, 'first page by key', { ...more, limit }),
    ask(list, 'middle page by key', ...(middle.length > 0 ? middle : [at(ids[0])])),
    ask(list, 'last page by key', at(ids[0])),
    ask(list, 'page back from the middle', {
      ...more,
      limit,
      before: cursor('id desc', ids[Math.floor(ids.length / 2)] ?? '1'),
    }),
    ask(list, 'total=estimated', { ...more, limit, total: 'estimated' }),
    ask(list, 'total=exact', { ...more, limit, total: 'exact' }),
    ...numbered(list, rows, more),
  ];
}

export const numbered = (list: List, rows: number, more: Parameters = {}): Question[] => [
  ask(list, 'first page by number', { ...more, page: '1', pageSize: limit }),
  ask(list, 'middle page by number', {
    ...more,
    page: String(Math.max(1, Math.floor(rows / 100))),
    pageSize: limit,
  }),
  ask(list, 'last page by number', {
    ...more,
    page: String(Math.max(1, Math.floor(rows / 50))),
    pageSize: limit,
  }),
];
