import type { Migration } from '@canvass/postgres';

/**
 * Forms and the settings record of tenants. Both contain webhook settings with sealed API keys. Respondents
 * know a form by its id only, so the id is unique, too, and forms is not a table to partition (decision
 * 0034).
 */
export const forms: Migration = {
  name: '20261120T1202_forms',
  async up(knex) {
    await knex.raw(`
      create table tenant_settings (
        tenant_id bigint primary key,
        web_hook_settings_json text,
        webhook_settings_version bigint,
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        revision bigint not null default 1,
        check ((web_hook_settings_json is null) = (webhook_settings_version is null))
      );
      comment on column tenant_settings.web_hook_settings_json is 'Webhook settings as JSON text, API keys sealed; null: the tenant has none';
      comment on column tenant_settings.webhook_settings_version is 'The version in force, in webhook_settings_versions';

      create table forms (
        tenant_id bigint not null,
        id bigint not null default next_id() unique,
        name text not null,
        description text,
        is_enabled boolean not null,
        is_public boolean not null,
        limit_one_per_user boolean not null,
        definition json not null,
        submission_token_expiry_hours integer,
        data_list_ids bigint[] not null,
        web_hook_settings_json text,
        webhook_settings_version bigint,
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        revision bigint not null default 1,
        deleted_at timestamptz,
        primary key (tenant_id, id),
        check ((web_hook_settings_json is null) = (webhook_settings_version is null))
      );
      comment on column forms.definition is 'json, not jsonb: the form runtime gets its members back in their order';
      comment on column forms.web_hook_settings_json is 'Override of the tenant''s settings, API keys sealed; null: none; {}: no webhook fires';
      create index forms_list on forms (tenant_id, id desc) where deleted_at is null;`);
  },
  async down(knex) {
    await knex.raw('drop table forms; drop table tenant_settings');
  },
};
