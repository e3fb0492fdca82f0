import type { Migration } from '@canvass/postgres';

/** Every version of webhook settings that was ever in force. Events name one, so rows are only added. */
export const webhookSettingsVersions: Migration = {
  name: '20261120T1206_webhook_settings_versions',
  async up(knex) {
    await knex.raw(`
      create table webhook_settings_versions (
        tenant_id bigint not null,
        scope text not null check (scope in ('tenant', 'form')),
        scope_id bigint not null,
        version bigint not null,
        events json not null,
        created_at timestamptz not null default now(),
        primary key (tenant_id, scope, scope_id, version)
      );
      comment on table webhook_settings_versions is 'Append-only; the relay fetches a version once and an event may name any of them';
      comment on column webhook_settings_versions.events is 'ResolvedWebhookSettings.events with endpoint ids; API keys sealed. Empty for a removal';`);
  },
  async down(knex) {
    await knex.raw('drop table webhook_settings_versions');
  },
};
