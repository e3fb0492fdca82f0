import type { DataListItem } from '@canvass/contracts';
import type { Harness } from './harness';

/** A staged import in the API. */
export interface Staged {
  id: string;
  state: string;
  rows: number;
  bytes: number;
  faults: number;
  faultsByCode: Record<string, number>;
  isWhole: boolean;
  difference: Record<string, number> | null;
  revision: string | null;
  createdBy: { subject: string } | null;
}
export interface KeyPage<T> {
  items: T[];
  next: string | null;
}
/** Items of a new list. */
export const oldItems: DataListItem[] = [
  { value: 'a', labels: { default: 'A', nl: 'Aa' } },
  { value: 'b', labels: { default: 'B' } },
  { value: 'c', labels: { default: 'Köln' } },
];

/** A list with items, and how to send files to it. */
export async function newStagedList(harness: Harness) {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['nl'] });
  await admin.importItems(id, oldItems);
  const path = `/api/data-lists/${id}`;
  const read = async () => (await admin.get<{ items: DataListItem[]; revision: string }>(path)).body;
  const stage = <T = Staged>(body: unknown, type = 'text/csv', query = '') =>
    admin.request<T>('POST', `${path}/imports${query}`, body, { 'content-type': type });
  return { admin, id, path, read, stage };
}
