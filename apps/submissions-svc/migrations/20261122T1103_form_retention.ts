import type { Migration } from '@canvass/postgres';

const members = (more: string) => `
  'id', f.id::text,
  'name', f.name,
  'description', f.description,
  'isEnabled', f.is_enabled,
  'isPublic', f.is_public,
  'limitOnePerUser', f.limit_one_per_user,
  'definition', f.definition,
  'submissionTokenExpiryHours', f.submission_token_expiry_hours,${more}
  'dataListIds', to_json(f.data_list_ids::text[]),
  'createdAt', api_time(f.created_at),
  'modifiedAt', api_time(f.modified_at),
  'revision', f.revision::text`;

const formJson = (more: string) => `
  create or replace function form_json(f forms) returns json language sql stable
    return json_build_object(${members(more)});`;

/** How long a form keeps its submissions. */
export const formRetention: Migration = {
  name: '20261122T1103_form_retention',
  async up(knex) {
    await knex.raw(`
      alter table forms add column retention_days integer;
      comment on column forms.retention_days is 'Submissions are erased so many days after their creation; null: never';
      ${formJson(`\n  'retentionDays', f.retention_days,`)}`);
  },
  async down(knex) {
    await knex.raw(`${formJson('')} alter table forms drop column retention_days`);
  },
};
