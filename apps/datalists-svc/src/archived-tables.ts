import type { ArchivedTable } from '@canvass/tenant-archive';

/** What a tenant takes along: lists with their current items and those of the versions that are kept. */
export const archivedTables: readonly ArchivedTable[] = [
  { name: 'data_lists', key: ['id'] },
  { name: 'data_list_versions', key: ['list_id', 'number'] },
  {
    name: 'items',
    key: ['list_id', 'version', 'position'],
    where: `exists (select from data_lists l where l.tenant_id = t.tenant_id and l.id = t.list_id and l.items_version = t.version)
      or exists (select from data_list_versions v where v.tenant_id = t.tenant_id and v.list_id = t.list_id and v.items_version = t.version)`,
  },
];
