import type { components } from '@canvass/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, dataOf } from './api';

export type Endpoint = components['schemas']['WebhookEndpoint'];

const pageSize = 200;
/** Pages that are read at most: 1,000 endpoints. The others are shown by their ids. */
const mostPages = 5;

/** All endpoints of the tenant. */
export const useEndpoints = () =>
  useQuery({
    queryKey: ['endpoints'],
    staleTime: 30_000,
    async queryFn({ signal }) {
      const endpoints: Endpoint[] = [];
      for (let page = 1; page <= mostPages; page += 1) {
        const query = { page, pageSize };
        const { items } = await dataOf(api.GET('/api/webhooks/endpoints', { params: { query }, signal }));
        endpoints.push(...items);
        if (items.length < pageSize) break;
      }
      return endpoints;
    },
  });

/** The URL of an endpoint, by its id; the id while it is unknown. */
export function useUrlOf(): (endpointId: string) => string {
  const { data } = useEndpoints();
  return useMemo(() => {
    const urls = new Map(data?.map(({ id, url }) => [id, url]));
    return (endpointId) => urls.get(endpointId) ?? endpointId;
  }, [data]);
}
