import type { Migration } from '@canvass/postgres';

/** A shorter period of a form starts later than its change, and names who asked for it. */
export const retentionChanges: Migration = {
  name: '20261128T0200_retention_changes',
  async up(knex) {
    await knex.raw(`
      alter table forms add column retention_starts_at timestamptz, add column retention_days_before integer,
        add column retention_set_by json;
      comment on column forms.retention_starts_at is 'Until then the period before holds if it is longer; null: retention_days holds';
      comment on column forms.retention_days_before is 'The period before the last one that shortened it; null: never';
      comment on column forms.retention_set_by is 'Actor and request id of the change of retention_days'`);
  },
  async down(knex) {
    await knex.raw(`
      alter table forms drop column retention_starts_at, drop column retention_days_before, drop column retention_set_by`);
  },
};
