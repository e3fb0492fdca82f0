import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../action';

/** A change of an endpoint. What the page shows of it is read again, also after a refusal. */
export function useEndpointChange(endpointId: string, change: () => Promise<unknown>) {
  const client = useQueryClient();
  return useAction(async () => {
    try {
      await change();
    } finally {
      const shown = [['endpoint', endpointId], ['endpoints'], ['backlog']];
      await Promise.all(shown.map((queryKey) => client.invalidateQueries({ queryKey })));
    }
  });
}
