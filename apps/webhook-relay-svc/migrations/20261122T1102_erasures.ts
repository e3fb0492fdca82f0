import type { Migration } from '@canvass/postgres';

/** Submissions whose data was erased: their copies in the relay are erased, and later ones are not stored. */
export const erasures: Migration = {
  name: '20261122T1102_erasures',
  async up(knex) {
    await knex.raw(`
      create table erasures (
        tenant_id bigint not null,
        entity_id bigint not null,
        event_id bigint not null,
        answers text not null check (answers in ('kept', 'deleted')),
        erased_at timestamptz not null default now(),
        done_at timestamptz,
        primary key (tenant_id, entity_id)
      );
      create index erasures_open on erasures (erased_at) where done_at is null;
      comment on column erasures.event_id is 'Events of the submission with a smaller id are from before the erasure';
      comment on column erasures.answers is 'kept: only the respondent was erased';
      comment on column erasures.done_at is 'When no copy was left; null while the relay still erases'`);
  },
  async down(knex) {
    await knex.raw('drop table erasures');
  },
};
