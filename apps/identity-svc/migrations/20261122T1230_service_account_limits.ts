import type { Migration } from '@canvass/postgres';

export const serviceAccountLimits: Migration = {
  name: '20261122T1230_service_account_limits',
  async up(knex) {
    await knex.raw(`
      alter table service_accounts
        add column previous_secret_hash bytea,
        add column previous_secret_expires_at timestamptz,
        add column expires_at timestamptz,
        add column last_used_at timestamptz,
        add column form_ids bigint[];
      comment on column service_accounts.previous_secret_hash is 'Accepted until previous_secret_expires_at';
      comment on column service_accounts.last_used_at is 'Of the last token, to the minute';
      comment on column service_accounts.form_ids is 'Null: all forms of the tenant'`);
  },
  async down(knex) {
    await knex.raw(`
      alter table service_accounts
        drop column previous_secret_hash, drop column previous_secret_expires_at,
        drop column expires_at, drop column last_used_at, drop column form_ids`);
  },
};
