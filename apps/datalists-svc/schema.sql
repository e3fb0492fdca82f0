-- The schema of datalists-svc: choice lists, their items, versions and imports. It is frozen with release 0.1.0: later changes
-- are files in migrations/, and nothing here changes. functions/ is loaded after it.

-- The catalogue has one row per list. `items_version` names the current items.
create table data_lists (
  id bigint primary key default next_id(),
  tenant_id bigint not null,
  name text not null,
  description text,
  folded text collate "C" generated always as (fold(name) || E'\n' || fold(coalesce(description, ''))) stored,
  is_active boolean not null default true,
  default_locale text not null default 'en',
  available_locales text[] not null default '{}',
  items_order text not null default 'label' check (items_order in ('label', 'file')),
  items_count integer not null default 0,
  items_version bigint not null default next_id(),
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  revision bigint not null default 1,
  unique (tenant_id, id)
);
comment on column data_lists.folded is
  'Name and description; a search never matches across the line break. The catalogue is searched and sorted by it';
create index data_lists_by_name on data_lists (tenant_id, folded, id);

-- Items live in versions. An import writes a new version and switches `data_lists.items_version` in one transaction, so
-- searches use the old items until it commits. The old version is then deleted in the background. There is no foreign key to
-- data_lists: it would cost a lookup per row, and the only writers of a version hold the lock of its list row.
create table items (
  tenant_id bigint not null,
  list_id bigint not null,
  version bigint not null,
  position integer not null,
  value text collate "C" not null,
  labels jsonb not null,
  primary key (tenant_id, list_id, version, position)
);
comment on column items.position is 'Order of import, from 0';
comment on column items.labels is '{ default, <culture key>... }';
-- An index on expressions instead of columns. With two indexes on the same leading columns the planner must guess the number of
-- items of a version, and guesses one: there are no statistics for a version that was just imported, and it takes tenant, list
-- and version as independent. Both indexes then seem to cost the same, and it often scanned a whole version with the wrong one.
-- A condition on the columns can only use the primary key, and one on the expressions only this index.
create unique index items_of_version_by_value on items ((tenant_id + 0), (list_id + 0), (version + 0), value);

create table discarded_versions (
  tenant_id bigint not null,
  list_id bigint not null,
  version bigint not null,
  discarded_at timestamptz not null default now(),
  primary key (tenant_id, list_id, version)
);

-- The latest versions of each list, which can be restored. Items that no row references are deleted.
create table data_list_versions (
  tenant_id bigint not null,
  list_id bigint not null,
  number integer not null,
  cause text not null,
  restored_from integer,
  items_version bigint not null,
  items_count integer not null,
  default_locale text not null,
  available_locales text[] not null,
  revision bigint not null,
  created_by json,
  created_at timestamptz not null default now(),
  primary key (tenant_id, list_id, number),
  foreign key (tenant_id, list_id) references data_lists (tenant_id, id) on delete cascade
);
comment on column data_list_versions.number is 'Counts the versions of a list, from 1';
comment on column data_list_versions.restored_from is 'Number of the version that this one repeats';
comment on column data_list_versions.items_version is 'Of the items; several rows may name the same';
comment on column data_list_versions.revision is 'Of the list, with this version';
comment on column data_list_versions.created_by is 'Null if unknown';

-- Imports whose items are a version that is not in force, and the errors of rejected ones. They expire: the cleaner deletes
-- the rows here, and the items by `discarded_versions`.
create table list_imports (
  tenant_id bigint not null,
  list_id bigint not null,
  id bigint not null default next_id(),
  state text not null default 'receiving' check (state in ('receiving', 'ready', 'rejected', 'applied')),
  format text not null,
  version bigint not null,
  merged_with bigint,
  default_locale text not null,
  available_locales text[] not null,
  ensure_locales text[] not null,
  bytes bigint not null default 0,
  rows integer not null default 0,
  faults integer not null default 0,
  faults_by_code json not null default '{}',
  is_whole boolean not null default false,
  file json,
  difference json,
  revision bigint,
  created_by json,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, list_id, id),
  foreign key (tenant_id, list_id) references data_lists (tenant_id, id) on delete cascade
);
comment on column list_imports.version is 'Of the items';
comment on column list_imports.merged_with is 'Version of the list that the items were merged with; null: they replace all';
comment on column list_imports.default_locale is 'Labels are checked against it and the two after it';
comment on column list_imports.file is 'Encoding and separator of a CSV file';
comment on column list_imports.revision is 'Of the list, with the difference';
create index list_imports_by_expiry on list_imports (expires_at);

create table list_import_faults (
  tenant_id bigint not null,
  list_id bigint not null,
  import_id bigint not null,
  id bigint not null,
  line integer,
  cell integer,
  field text,
  code text not null,
  message text not null,
  primary key (tenant_id, list_id, import_id, id),
  foreign key (tenant_id, list_id, import_id) references list_imports (tenant_id, list_id, id) on delete cascade
);
comment on column list_import_faults.id is 'Counts the errors of an import, from 1';

-- This service's copy of which form may read which list, updated by `form.*` events. A deleted form keeps its row, so that a
-- late older event cannot reopen its lists. Event ids order the copies: they grow even if the owner of the forms is restored.
create table form_lists (
  tenant_id bigint not null,
  form_id bigint not null,
  name text not null,
  is_enabled boolean not null,
  is_public boolean not null,
  is_deleted boolean not null,
  list_ids bigint[] not null,
  revision bigint not null,
  event_id bigint not null,
  primary key (tenant_id, form_id)
);
comment on column form_lists.event_id is 'Id of the last event';
create index form_lists_by_list on form_lists using gin (list_ids);
