import { itemsOf, type components } from '@canvass/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from './api';

export type Endpoint = components['schemas']['WebhookEndpoint'];

/** Endpoints that are read at most. The others are shown by their ids. */
const maxEndpoints = 1_000;

/** The keys of what is shown of an endpoint. */
export const endpointKeys = (id: string) => [['endpoint', id], ['endpoints'], ['backlog']];

/** All endpoints of the tenant. */
export const useEndpoints = () =>
  useQuery({
    queryKey: ['endpoints'],
    staleTime: 30_000,
    async queryFn({ signal }) {
      const endpoints: Endpoint[] = [];
      const pages = itemsOf<Endpoint>((after) =>
        api.GET('/api/webhooks/endpoints', { params: { query: { limit: 200, ...after } }, signal }),
      );
      for await (const endpoint of pages) {
        endpoints.push(endpoint);
        if (endpoints.length === maxEndpoints) break;
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
