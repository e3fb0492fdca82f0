import type { components } from '@canvass/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api';
import type { Place } from '../list-state';
import { instantOf } from '../zoned-time';

type AuditPage = components['schemas']['AuditRecordPage'];
export type AuditRecord = components['schemas']['AuditRecord'];

export const areas = ['forms', 'data-lists', 'identity', 'webhooks'] as const;
/** The filters, as the API and the URL name them. */
export const filterNames = ['area', 'action', 'actor', 'objectType', 'objectId', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Record<FilterName, string>>;

/** A filter as the API takes it. A day begins at midnight of the zone. */
const queryOf = ({ area, from, to, ...rest }: Filters, zone: string) => ({
  ...rest,
  ...(from !== undefined && { from: instantOf(`${from}T00:00`, zone) }),
  ...(to !== undefined && { to: instantOf(`${to}T00:00`, zone) }),
  ...(area !== undefined && { area: [area as (typeof areas)[number]] }),
});

/** Recorded actions, newest first. */
export const useAudit = (filters: Filters, zone: string, place: Place) =>
  useQuery({
    queryKey: ['audit', filters, zone, place],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { ...queryOf(filters, zone), limit: 50, ...place };
      return dataOf(api.GET('/api/audit', { params: { query }, signal })) as Promise<AuditPage>;
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
