import type { Migration } from '@canvass/postgres';

/** The relay's copy of webhook settings by version, and the endpoints with their health and queue state. */
export const settings: Migration = {
  name: '20261122T0900_settings',
  async up(knex) {
    await knex.raw(`
      create table settings_versions (
        tenant_id bigint not null,
        scope text not null check (scope in ('tenant', 'form')),
        scope_id bigint not null,
        version bigint not null,
        fetched_at timestamptz not null default now(),
        primary key (tenant_id, scope, scope_id, version)
      );
      comment on table settings_versions is 'Versions of webhook settings fetched from their owner; they never change';

      create table settings_current (
        tenant_id bigint not null,
        scope text not null,
        scope_id bigint not null,
        version bigint not null,
        primary key (tenant_id, scope, scope_id),
        foreign key (tenant_id, scope, scope_id, version) references settings_versions
      );
      comment on table settings_current is 'The newest version known; URLs and credentials of each send come from it';

      create table endpoints (
        tenant_id bigint not null,
        id bigint not null,
        scope text not null check (scope in ('tenant', 'form')),
        scope_id bigint not null,
        url text not null,
        revision bigint not null default 0,
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        max_in_flight integer not null default 5 check (max_in_flight between 1 and 100),
        slots integer not null default 5 check (slots >= 1),
        failures integer not null default 0,
        failing_since timestamptz,
        reported_failing boolean not null default false,
        resume_at timestamptz,
        disabled_at timestamptz,
        disabled_reason text,
        removed_at timestamptz,
        max_per_second integer check (max_per_second between 1 and 1000),
        next_send_at timestamptz,
        in_flight integer not null default 0 check (in_flight >= 0),
        first_due timestamptz,
        is_ready boolean not null default false,
        ready_at timestamptz,
        primary key (tenant_id, id)
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
      create index endpoints_by_scope on endpoints (tenant_id, scope, scope_id);
      create index endpoints_ready_by_tenant on endpoints (tenant_id, ready_at) where is_ready;
      create index endpoints_ready on endpoints (ready_at) where is_ready;
      create index endpoints_scheduled on endpoints (ready_at) where not is_ready and ready_at is not null;
      create index endpoints_cancelling on endpoints (tenant_id, id)
        where removed_at is not null and first_due is not null;
      comment on column endpoints.id is 'Assigned by the owner of the settings; stable across edits';
      comment on column endpoints.url is 'As in the newest settings that name the endpoint, for people; sends read settings_targets';
      comment on column endpoints.revision is 'Number of events about it: failing, disabled, recovered';
      comment on column endpoints.slots is 'Deliveries it may be sent at once, at most max_in_flight: halved by overload, raised by each success';
      comment on column endpoints.failures is 'Consecutive failures that show a fault of the endpoint';
      comment on column endpoints.failing_since is 'Time of the first failure since the last success; null while the last attempt succeeded';
      comment on column endpoints.reported_failing is 'An event reported that it fails, and none since that it recovered';
      comment on column endpoints.resume_at is 'The circuit is open until then; due deliveries wait';
      comment on column endpoints.disabled_at is 'Nothing is sent to it; its deliveries are recorded';
      comment on column endpoints.removed_at is 'No longer in the current settings of its scope';
      comment on column endpoints.max_per_second is 'Deliveries in any second from all replicas; null for no limit. Kept when settings change';
      comment on column endpoints.next_send_at is 'The first send slot that no claim has taken; for endpoints with a rate limit only';
      comment on column endpoints.in_flight is 'Leased deliveries, of all replicas';
      comment on column endpoints.first_due is 'No waiting delivery without a lease has an earlier due time; null if none waits';
      comment on column endpoints.is_ready is 'A claim may take deliveries of it now. Kept by the trigger endpoint_readiness';
      comment on column endpoints.ready_at is 'Its place in the line while it is ready; else when it becomes ready, or null. Kept by the trigger';

      create table endpoint_secrets (
        tenant_id bigint not null,
        endpoint_id bigint not null,
        id bigint not null default next_id(),
        sealed text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz,
        primary key (tenant_id, endpoint_id, id),
        foreign key (tenant_id, endpoint_id) references endpoints on delete cascade
      );
      comment on table endpoint_secrets is 'Signing secrets, newest first by id; more than one is in force only while a secret rotates';
      comment on column endpoint_secrets.sealed is 'whsec_ secret, encrypted (AES-256-GCM)';

      create table settings_targets (
        tenant_id bigint not null,
        scope text not null,
        scope_id bigint not null,
        version bigint not null,
        event_name text not null,
        endpoint_id bigint not null,
        is_enabled boolean not null,
        url text not null,
        auth_header text,
        api_key_sealed text,
        primary key (tenant_id, scope, scope_id, version, event_name, endpoint_id),
        foreign key (tenant_id, scope, scope_id, version) references settings_versions on delete cascade,
        foreign key (tenant_id, endpoint_id) references endpoints on delete cascade,
        check ((auth_header is null) = (api_key_sealed is null))
      );
      comment on table settings_targets is 'What a version contains: the endpoints of each event, their URLs and credentials';
      comment on column settings_targets.event_name is 'As in the message, snake_case';
      comment on column settings_targets.is_enabled is 'Of the event: used at fan-out only; waiting deliveries are still sent';
      comment on column settings_targets.api_key_sealed is 'Encrypted (AES-256-GCM)';`);
  },
  async down(knex) {
    await knex.raw(
      'drop table settings_targets, endpoint_secrets, endpoints, settings_current, settings_versions',
    );
  },
};
