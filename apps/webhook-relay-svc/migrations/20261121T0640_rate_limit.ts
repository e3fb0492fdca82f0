import type { Migration } from '@canvass/postgres';

/** How often an endpoint wants to be sent anything, and when its next turn is. */
export const rateLimit: Migration = {
  name: '20261121T0640_rate_limit',
  async up(knex) {
    await knex.raw(`
      alter table endpoints
        add column max_per_second integer check (max_per_second between 1 and 1000),
        add column next_send_at timestamptz;
      comment on column endpoints.max_per_second is 'Deliveries in any second, from all copies together; null for no limit. Set by people, kept when settings change';
      comment on column endpoints.next_send_at is 'The first turn that no claim has taken; of endpoints with a limit only';`);
  },
  async down(knex) {
    await knex.raw('alter table endpoints drop column max_per_second, drop column next_send_at');
  },
};
