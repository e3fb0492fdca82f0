import type { DataListItem, DataListView } from '@canvass/contracts';

export interface Reply<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  body: T;
}

export type ImportedList = DataListView & {
  import: {
    rows: number;
    added: number;
    changed: number;
    removed: number;
    unchanged: number;
    durationMs: number;
  };
};

export interface Page<T> {
  page: number;
  pageSize: number;
  totalRecords: number;
  totalPages: number;
  items: T[];
}

export interface ImportProblem {
  status: number;
  errorCode: string;
  detail: string;
  faults: {
    line: number | null;
    column: number | null;
    field: string | null;
    code: string;
    message: string;
  }[];
}

/** Speaks HTTP with the service as one caller. */
export interface Client {
  tenantId: string;
  request<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  get<T = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<Reply<T>>;
  createList(list?: Record<string, unknown>): Promise<DataListView>;
  importItems<T = ImportedList>(listId: string, items: unknown[], extra?: object): Promise<Reply<T>>;
  importCsv<T = ImportedList>(listId: string, csv: string, extra?: object): Promise<Reply<T>>;
  /** The items that the management search finds. */
  find(listId: string, query: Record<string, string>): Promise<Page<DataListItem>>;
}

export function client(url: string, token: string | null, tenantId = ''): Client {
  async function request<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    // Not response.text(), which would swallow a byte order mark.
    const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
    return { status: response.status, headers: response.headers, text, body: parsed(text) as T };
  }
  const put = <T>(listId: string, body: object) =>
    request<T>('PUT', `/api/data-lists/${listId}/import`, body);
  return {
    tenantId,
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    async createList(list = {}) {
      const reply = await request<DataListView>('POST', '/api/data-lists', { name: 'A list', ...list });
      if (reply.status !== 201) throw new Error(reply.text);
      return reply.body;
    },
    importItems: (listId, items, extra = {}) => put(listId, { items, ...extra }),
    importCsv: (listId, csv, extra = {}) => put(listId, { format: 'csv', csv, ...extra }),
    async find(listId, query) {
      const path = `/api/data-lists/${listId}/items?${new URLSearchParams(query)}`;
      const reply = await request<Page<DataListItem>>('GET', path);
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
