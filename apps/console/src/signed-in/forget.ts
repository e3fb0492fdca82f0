import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ownName } from '../base';
import { forgetReads } from './requests';

const name = ownName('canvass-erasures');

/** The queries that have no data of respondents. Without it the page itself would be loaded again. */
const kept = ['me', 'configuration', 'health'];

function drop(client: QueryClient): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => !kept.includes(String(queryKey[0]));
  forgetReads();
  client.removeQueries({ type: 'inactive', predicate });
  void client.resetQueries({ predicate });
}

/** Runs after an erasure: all panels of all tabs forget what they have read, and read it again. */
export function forgetEverywhere(client: QueryClient): void {
  drop(client);
  const tabs = new BroadcastChannel(name);
  tabs.postMessage('erased');
  tabs.close();
}

/** Forgets what other tabs say. */
export function useForgetting(): void {
  const client = useQueryClient();
  useEffect(() => {
    const tabs = new BroadcastChannel(name);
    tabs.onmessage = () => drop(client);
    return () => tabs.close();
  }, [client]);
}
