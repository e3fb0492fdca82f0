import type { Migration } from '@canvass/postgres';

/**
 * What recoveries made due and what became of it is still open. Recoveries are jobs from here on; those of
 * earlier versions are moved when they are found (`adoptRecoveries`).
 */
export const recoveryItems: Migration = {
  name: '20261123T0201_recovery_items',
  async up(knex) {
    await knex.raw(`
      create table recovery_items (
        tenant_id bigint not null,
        job_id bigint not null,
        delivery_id bigint not null,
        made_due_at timestamptz not null default now(),
        primary key (tenant_id, job_id, delivery_id),
        foreign key (tenant_id, job_id) references jobs on delete cascade
      );
      comment on table recovery_items is 'Deliveries that a recovery made due and that were not tried since';`);
  },
  async down(knex) {
    await knex.raw('drop table recovery_items');
  },
};
