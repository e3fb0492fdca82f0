import type { components } from '@canvass/client';
import { api, dataOf, get } from '../api';
import { useKeyRows, type KeyPage } from '../key-rows';
import { instantOf } from '../zoned-time';

export type AuditRecord = components['schemas']['AuditRecord'];

type Area = 'forms' | 'data-lists' | 'identity' | 'webhooks';
/** The filters, as the API and the URL name them. */
export const filterNames = ['area', 'action', 'actor', 'objectType', 'objectId', 'from', 'to'] as const;
export type Filters = Partial<Record<(typeof filterNames)[number], string>>;

/** A filter as the API takes it. A day begins at midnight of the zone. */
const queryOf = ({ area, from, to, ...rest }: Filters, zone: string) => ({
  ...rest,
  ...(from !== undefined && { from: instantOf(`${from}T00:00`, zone) }),
  ...(to !== undefined && { to: instantOf(`${to}T00:00`, zone) }),
  ...(area !== undefined && { area: [area as Area] }),
});

/** Recorded actions, newest first. */
export const useAudit = (filters: Filters, zone: string) =>
  useKeyRows<AuditRecord>({
    queryKey: ['audit', filters, zone],
    isFresh: true,
    read: (place, signal) => {
      const query = { ...queryOf(filters, zone), ...place };
      return get('/api/audit', { query }, signal) as Promise<KeyPage<AuditRecord>>;
    },
  });

/** All matching actions, one JSON document per line. The export itself is recorded. */
export const exportAudit = async (filters: Filters, zone: string): Promise<Blob> => {
  const file = await dataOf(
    api.GET('/api/audit', {
      params: { query: queryOf(filters, zone) },
      headers: { accept: 'application/x-ndjson' },
      parseAs: 'blob',
    }),
  );
  return file as unknown as Blob;
};
