import type { Migration } from '@canvass/postgres';

/** Respondents that identified themselves or that an integration named. */
export const submitters: Migration = {
  name: '20261120T1203_submitters',
  async up(knex) {
    await knex.raw(`
      create table submitters (
        tenant_id bigint not null,
        id bigint not null default next_id(),
        auth_provider text not null check (length(auth_provider) between 1 and 64),
        external_subject_id text not null check (length(external_subject_id) between 1 and 255),
        app_user_id bigint,
        display_id text not null,
        profile jsonb not null default '{}',
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        primary key (tenant_id, id),
        constraint submitters_subject unique (tenant_id, auth_provider, external_subject_id)
      );
      comment on column submitters.app_user_id is 'The service-owned user, where the respondent is one';
      comment on column submitters.display_id is 'Of the latest resolution; submissions keep the one of their time';
      create unique index submitters_app_user on submitters (tenant_id, app_user_id) where app_user_id is not null;`);
  },
  async down(knex) {
    await knex.raw('drop table submitters');
  },
};
