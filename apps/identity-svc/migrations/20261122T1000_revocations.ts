import type { Migration } from '@canvass/postgres';

/**
 * Access tokens name the version of their subject. A change that ends them raises the version and adds a
 * revocation, which the other services read from the feed.
 */
export const revocations: Migration = {
  name: '20261122T1000_revocations',
  async up(knex) {
    await knex.raw(`
      alter table users add column token_version integer not null default 1;
      alter table service_accounts add column token_version integer not null default 1;
      comment on column users.token_version is 'Access tokens of an older version are revoked; grows with roles, password and disabling';
      comment on column service_accounts.token_version is 'Access tokens of an older version are revoked; grows with roles and disabling';

      create table revocations (
        kind text not null check (kind in ('user', 'service', 'session', 'key')),
        subject text not null,
        min_version integer,
        xid xid8 not null default pg_current_xact_id(),
        expires_at timestamptz not null,
        primary key (kind, subject)
      );
      comment on table revocations is 'Until no token of before can be valid any more; without a tenant, because ids are unique across tenants';
      comment on column revocations.min_version is 'Null: no token of the subject is valid';
      comment on column revocations.xid is 'A reader that has seen all transactions before x continues with xid >= x';
      create index revocations_xid on revocations (xid);
      create index revocations_expiry on revocations (expires_at)`);
  },
  async down(knex) {
    await knex.raw(`
      drop table revocations;
      alter table service_accounts drop column token_version;
      alter table users drop column token_version`);
  },
};
