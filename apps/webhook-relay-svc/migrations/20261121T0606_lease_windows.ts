import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/**
 * One key per window of 10 s; those of the second begin in the middle of those of the first. One value
 * instead of four columns: the planner would look for the leases of an endpoint here, or even of a tenant,
 * and meet all there ever were.
 */
const key = (shift: number) =>
  `on leases ((array[tenant_id, endpoint_id, slot::bigint, (leased_second + ${shift}) / 10]))`;

/**
 * A slot is one delivery's for the time being. A key of the slot alone has an entry for every lease there
 * ever was while any transaction of the server is old, and each insert steps over all of them; these have
 * those of ten seconds. Two leases less than five seconds apart meet in one window or the other; a lease that
 * is older was committed before the later claim looked for free slots. (Were a claim to run for five seconds,
 * an endpoint might get one delivery more at once.)
 */
export const leaseWindows: Migration = {
  name: '20261121T0606_lease_windows',
  transaction: false,
  async up(knex) {
    await knex.raw(
      `alter table leases add column if not exists leased_second bigint not null default floor(extract(epoch from now()))`,
    );
    await createIndexConcurrently(knex, 'leases_window', key(0), { unique: true });
    await createIndexConcurrently(knex, 'leases_shifted_window', key(5), { unique: true });
    await knex.raw(`
      alter table leases drop constraint if exists leases_pkey;
      comment on column leases.leased_second is 'Seconds since 1970 when it was leased';
      comment on table leases is 'One row per delivery in flight. A delivery has one sender, by the key of its id; an endpoint as many as it has slots, by the two keys of slot and window';`);
  },
  async down(knex) {
    await knex.raw(
      `delete from leases older using leases newer
       where older.tenant_id = newer.tenant_id and older.endpoint_id = newer.endpoint_id
         and older.slot = newer.slot and older.delivery_id < newer.delivery_id`,
    );
    await createIndexConcurrently(knex, 'leases_slot', 'on leases (tenant_id, endpoint_id, slot)', {
      unique: true,
    });
    await dropIndexConcurrently(knex, 'leases_window');
    await dropIndexConcurrently(knex, 'leases_shifted_window');
    await knex.raw(`
      alter table leases add constraint leases_pkey primary key using index leases_slot;
      alter table leases drop column if exists leased_second;
      comment on table leases is 'One row per delivery in flight. The two keys hold the rules across processes: a delivery has one sender, an endpoint as many as it has slots';`);
  },
};
