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

type Pages = Parameters<typeof itemsOf<{ id: string; name: string }>>[0];

async function readAll(read: Pages): Promise<Names> {
  const names = new Map<string, string>();
  for await (const { id, name } of itemsOf(read)) {
    names.set(id, name);
    if (names.size === maxNames) return { names, isWhole: false };
  }
  return { names, isWhole: true };
}

const readers = {
  form: {
    operation: 'listForms',
    read: () =>
      readAll(
        (after) =>
          api.GET('/api/forms', { params: { query: { limit: 200, ...after } } }) as ReturnType<Pages>,
      ),
  },
  service_account: {
    operation: 'listServiceAccounts',
    read: () =>
      readAll((after) => api.GET('/api/service-accounts', { params: { query: { limit: 200, ...after } } })),
  },
  data_list: {
    operation: 'listDataLists',
    async read(): Promise<Names> {
      const query = { pageSize: 200 };
      const { items, totalRecords } = await get('/api/data-lists', { query });
      return { names: new Map(items.map(({ id, name }) => [id, name])), isWhole: totalRecords <= 200 };
    },
  },
  webhook_endpoint: {
    operation: 'listWebhookEndpoints',
    read: () =>
      readAll(async (after) => {
        const path = '/api/webhooks/endpoints';
        const { data, ...rest } = await api.GET(path, { params: { query: { limit: 200, ...after } } });
        return {
          ...rest,
          data: { next: data!.next, items: data!.items.map(({ id, url }) => ({ id, name: url })) },
        };
      }),
  },
};

/** The names of all records of a kind, read together; undefined if they are not known. */
export function useNames(kind: string): Names | undefined {
  const me = useMe();
  const reader = Object.hasOwn(readers, kind) ? readers[kind as keyof typeof readers] : null;
  return useQuery({
    queryKey: ['names', kind],
    staleTime: 30_000,
    enabled: reader !== null && may(me, reader.operation),
    queryFn: () => reader!.read(),
  }).data;
}
