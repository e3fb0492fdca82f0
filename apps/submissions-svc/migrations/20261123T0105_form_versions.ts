import type { Migration } from '@canvass/postgres';

/** Every definition that a form has had. Forms of earlier builds begin with their present one. */
export const formVersions: Migration = {
  name: '20261123T0105_form_versions',
  async up(knex) {
    await knex.raw(`
      create table form_versions (
        tenant_id bigint not null,
        form_id bigint not null,
        revision bigint not null,
        definition json not null,
        saved_at timestamptz not null default now(),
        saved_by json,
        primary key (tenant_id, form_id, revision),
        foreign key (tenant_id, form_id) references forms (tenant_id, id) on delete cascade
      );
      comment on table form_versions is 'Definitions of a form, the current one included; the newest 100 are kept';
      comment on column form_versions.revision is 'The first revision of the form with this definition';
      comment on column form_versions.saved_by is 'Provider, kind and subject; null if unknown';
      insert into form_versions (tenant_id, form_id, revision, definition, saved_at)
        select tenant_id, id, revision, definition, modified_at from forms where deleted_at is null;`);
  },
  async down(knex) {
    await knex.raw('drop table form_versions');
  },
};
