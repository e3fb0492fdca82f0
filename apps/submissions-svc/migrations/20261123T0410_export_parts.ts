import type { Migration } from '@canvass/postgres';

/** The files of exports that run as jobs, in parts. */
export const exportParts: Migration = {
  name: '20261123T0410_export_parts',
  async up(knex) {
    await knex.raw(`
      create table export_parts (
        tenant_id bigint not null,
        job_id bigint not null,
        part integer not null check (part >= 0),
        bytes integer not null check (bytes > 0),
        content bytea not null,
        primary key (tenant_id, job_id, part)
      );
      comment on table export_parts is 'Files of exports, which contain personal data; deleted when the export expires, fails or is cancelled';
      comment on column export_parts.bytes is 'Bytes of content';`);
  },
  async down(knex) {
    await knex.raw('drop table export_parts');
  },
};
