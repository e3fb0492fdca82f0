import type { Migration } from '@canvass/postgres';

/**
 * The relay's copy of webhook settings, by version, and the endpoints with the state that belongs to the
 * relay.
 */
export const settings: Migration = {
  name: '20261120T1201_settings',
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
        max_in_flight integer not null default 5 check (max_in_flight between 1 and 100),
        failing_since timestamptz,
        disabled_at timestamptz,
        disabled_reason text,
        removed_at timestamptz,
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        primary key (tenant_id, id)
      );
      create index endpoints_by_scope on endpoints (tenant_id, scope, scope_id);
      comment on column endpoints.id is 'Given by the owner of the settings; stable across edits';
      comment on column endpoints.url is 'As in the newest settings that name the endpoint, for people; sends read settings_targets';
      comment on column endpoints.failing_since is 'Since when no attempt has succeeded; null while the last one did';
      comment on column endpoints.disabled_at is 'Nothing is sent to it, but its deliveries are still recorded';
      comment on column endpoints.removed_at is 'No longer in the current settings of its scope';

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
      comment on table settings_targets is 'What a version says: which endpoints an event has, where they are, how to authenticate';
      comment on column settings_targets.event_name is 'As in the message, snake_case';
      comment on column settings_targets.is_enabled is 'Of the event: decides at fan-out only; what is waiting is still sent';
      comment on column settings_targets.api_key_sealed is 'Encrypted (AES-256-GCM)';`);
  },
  async down(knex) {
    await knex.raw(
      'drop table settings_targets, endpoint_secrets, endpoints, settings_current, settings_versions',
    );
  },
};
