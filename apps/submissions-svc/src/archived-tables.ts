import type { ArchivedTable } from '@canvass/tenant-archive';

const isKept = (form: string) =>
  `exists (select from forms f where f.tenant_id = t.tenant_id and f.id = ${form} and f.deleted_at is null)`;
const isKeptSubmission = `exists (select from submissions s where s.tenant_id = t.tenant_id
  and s.id = t.submission_id and s.deleted_at is null
  and exists (select from forms f where f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null))`;

/**
 * What a tenant takes along to another installation. Webhook settings stay: their keys are sealed with a key
 * of this installation, and both installations would send. Tokens of submissions are kept as hashes, so
 * respondents can continue.
 */
export const archivedTables: readonly ArchivedTable[] = [
  {
    name: 'forms',
    key: ['id'],
    without: ['web_hook_settings_json', 'webhook_settings_version'],
    where: 't.deleted_at is null',
  },
  { name: 'form_versions', key: ['form_id', 'revision'], where: isKept('t.form_id') },
  { name: 'submitters', key: ['id'] },
  { name: 'submissions', key: ['id'], where: `t.deleted_at is null and ${isKept('t.form_id')}` },
  { name: 'submission_versions', key: ['submission_id', 'revision'], where: isKeptSubmission },
];
