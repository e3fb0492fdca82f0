import type { Migration } from '@canvass/postgres';

export const secondFactors: Migration = {
  name: '20261122T1220_second_factors',
  async up(knex) {
    await knex.raw(`
      create table second_factors (
        tenant_id bigint not null,
        user_id bigint not null,
        secret text not null,
        confirmed_at timestamptz,
        last_step bigint not null default 0,
        recovery_hashes bytea[] not null default '{}',
        created_at timestamptz not null default now(),
        primary key (tenant_id, user_id),
        constraint second_factors_user_fk foreign key (tenant_id, user_id)
          references users (tenant_id, id) on delete cascade
      );
      comment on column second_factors.secret is 'Base32, sealed with Service:Encryption:Keys';
      comment on column second_factors.confirmed_at is 'Null until the user has shown a code. Until then sign-ins need none';
      comment on column second_factors.last_step is 'Time step of the last accepted code. A code of it or before is refused';
      comment on column second_factors.recovery_hashes is 'SHA-256 of codes of 80 random bits that were not used yet'`);
  },
  async down(knex) {
    await knex.raw('drop table second_factors');
  },
};
