import type { Migration } from '@canvass/postgres';

/**
 * An address may be in several tenants. The former constraint showed the administrators of one tenant which
 * people are users of another. A `down` fails once an address is in several tenants.
 */
export const emailInSeveralTenants: Migration = {
  name: '20261122T1211_email_in_several_tenants',
  async up(knex) {
    await knex.raw(`
      alter table users drop constraint users_email_unique;
      comment on column users.email is 'lower case; unique within the tenant'`);
  },
  async down(knex) {
    await knex.raw('alter table users add constraint users_email_unique unique (email)');
  },
};
