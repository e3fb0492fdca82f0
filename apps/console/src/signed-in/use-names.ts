import { itemsOf } from '@canvass/client';
import { useQuery } from '@tanstack/react-query';
import { api, get } from './api';
import { may, useMe } from './me';

interface Names {
  names: ReadonlyMap<string, string>;
  /** Returns whether these are all of the tenant: what is missing does not exist. */
  isWhole: boolean;
}

/** Names that are read at most. */
const maxNames = 1_000;

type Named = { id: string; name: string } | { id: string; url: string };
type Path = '/api/forms' | '/api/service-accounts' | '/api/webhooks/endpoints';
type Page = Parameters<typeof itemsOf<Named>>[0];

async function namesAt(path: Path): Promise<Names> {
  const names = new Map<string, string>();
  const page: Page = (after) =>
    api.GET(path, { params: { query: { limit: 200, ...after } } }) as ReturnType<Page>;
  for await (const own of itemsOf(page)) {
    names.set(own.id, 'url' in own ? own.url : own.name);
    if (names.size === maxNames) return { names, isWhole: false };
  }
  return { names, isWhole: true };
}

const readers = {
  form: { operation: 'listForms', read: () => namesAt('/api/forms') },
  service_account: { operation: 'listServiceAccounts', read: () => namesAt('/api/service-accounts') },
  webhook_endpoint: { operation: 'listWebhookEndpoints', read: () => namesAt('/api/webhooks/endpoints') },
  data_list: {
    operation: 'listDataLists',
    async read(): Promise<Names> {
      const { items, totalRecords } = await get('/api/data-lists', { query: { pageSize: 200 } });
      return { names: new Map(items.map(({ id, name }) => [id, name])), isWhole: totalRecords <= 200 };
    },
  },
};

/** The names of all records of a kind, read together; without data if they are not known. */
export function useNames(kind: string) {
  const me = useMe();
  const reader = Object.hasOwn(readers, kind) ? readers[kind as keyof typeof readers] : null;
  return useQuery({
    queryKey: ['names', kind],
    staleTime: 30_000,
    enabled: reader !== null && may(me, reader.operation),
    queryFn: () => reader!.read(),
  });
}
