import type { Migration } from '@canvass/postgres';

/** Erasures that had their first pass wait for the last one, and do not hold back others. */
export const erasurePasses: Migration = {
  name: '20261122T1105_erasure_passes',
  async up(knex) {
    await knex.raw(`
      alter table erasures add column first_pass_at timestamptz;
      comment on column erasures.first_pass_at is 'When the copies of that time were erased, and none was in flight'`);
  },
  async down(knex) {
    await knex.raw('alter table erasures drop column first_pass_at');
  },
};
