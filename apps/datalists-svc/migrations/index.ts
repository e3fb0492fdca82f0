import {
  auditFiltersMigration,
  auditClientRequestMigration,
  auditGuardMigration,
  auditInsertGuardMigration,
  auditMigration,
} from '@canvass/audit';
import { healthLogMigration } from '@canvass/health-log';
import { outboxLanesMigration, outboxMigration, outboxPublishedMigration } from '@canvass/outbox';
import {
  idempotencyEntityMigration,
  idempotencyMigration,
  nextIdGuardMigration,
  nextIdMigration,
  nextIdOrderMigration,
  type Migration,
} from '@canvass/postgres';
import { quotaMigration } from '@canvass/quotas';
import { dataLists } from './20261121T0910_data_lists';
import { items } from './20261121T0920_items';
import { formLists } from './20261121T0930_form_lists';
import { dataListVersions } from './20261121T1000_data_list_versions';
import { itemsWithoutFolded } from './20261121T1010_items_without_folded';
import { searchColumns } from './20261121T1020_search_columns';
import { itemsByValue } from './20261121T1030_items_by_value';
import { formIsPublic } from './20261122T1400_form_is_public';
import { formEventIds } from './20261122T2000_form_event_ids';
import { importEvents } from './20261123T0510_import_events';
import { listImports } from './20261123T0200_list_imports';
import { versionAuthors } from './20261123T0210_version_authors';
import { withoutSearchColumns } from './20261128T0500_without_search_columns';

/** In order of application. An applied migration is never changed. */
export const migrations: readonly Migration[] = [
  nextIdMigration('20261121T0900_next_id', 3),
  outboxMigration('20261121T0905_outbox'),
  dataLists,
  items,
  formLists,
  idempotencyMigration('20261121T0940_idempotency_keys'),
  dataListVersions,
  itemsWithoutFolded,
  searchColumns,
  itemsByValue,
  idempotencyEntityMigration('20261122T1100_idempotency_entity'),
  outboxLanesMigration('20261122T1300_outbox_lanes'),
  nextIdGuardMigration('20261122T1310_next_id_guard', 3),
  auditMigration('20261122T1330_audit'),
  auditGuardMigration('20261122T1350_audit_guard'),
  formIsPublic,
  formEventIds,
  quotaMigration('20261122T2100_quotas'),
  outboxPublishedMigration('20261122T2310_outbox_published'),
  nextIdOrderMigration('20261122T2350_next_id_order', 3),
  healthLogMigration('20261123T0110_health_log'),
  listImports,
  versionAuthors,
  importEvents,
  auditFiltersMigration('20261124T0930_audit_filters'),
  auditInsertGuardMigration('20261128T0400_audit_insert_guard'),
  auditClientRequestMigration('20261128T0401_audit_client_request'),
  withoutSearchColumns,
];
