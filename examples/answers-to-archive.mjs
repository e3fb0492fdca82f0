// Turns answers of another product into an archive that `ops tenants import` takes: submissions keep their
// times and respondents, and no webhook is sent for them.
//
//   node examples/answers-to-archive.mjs answers.json <tenantId> <formId> > answers/submissions-svc.ndjson
//   npm run ops -- tenants import --service submissions-svc --folder answers --tenant <tenantId> --yes
//
// answers.json is a list of
//   { "submittedAt": "2025-03-01T09:30:00Z", "respondent": "crm-17", "name": "Ada", "answers": { "city": "Oslo" } }
// in which respondent and name are optional, and a "form" replaces <formId>. Make the forms first; the id of a form is
// in the address of its page. Import all answers at once: ids come from the time and the place in the file.
// docs/moving-a-tenant.md describes the archive.
import { readFileSync } from 'node:fs';

const [file, tenantId, formId] = process.argv.slice(2);
if (!formId)
  throw new Error('usage: node examples/answers-to-archive.mjs <answers.json> <tenantId> <formId>');
const answers = JSON.parse(readFileSync(file, 'utf8'));

/**
 * An id as Canvass makes them: milliseconds since 2026, an origin that no service uses, and a number. The same
 * file gives the same ids, so an import can be repeated. Earlier times have the ids before all others, and two
 * files with earlier times have ids in common.
 */
function idOf(time, number) {
  const since = Math.max(0, Date.parse(time) - Date.UTC(2026, 0, 1)) + (number >> 18);
  return String((BigInt(since) << 22n) | (7n << 18n) | BigInt(number & 0x3ffff));
}

/** A row for each respondent, from the first submission. */
const submitters = new Map();
for (const [number, { submittedAt, respondent, name }] of answers.entries()) {
  if (!respondent || submitters.has(respondent)) continue;
  submitters.set(respondent, {
    tenant_id: tenantId,
    id: idOf(submittedAt, number),
    auth_provider: 'Integration', // found again by POST /forms/{formId}/submissions/onbehalf
    external_subject_id: respondent,
    display_id: name ?? respondent,
    created_at: submittedAt,
    modified_at: submittedAt,
  });
}

const submissions = answers.map(({ submittedAt, respondent, name, form, answers: values }, number) => ({
  tenant_id: tenantId,
  id: idOf(submittedAt, number),
  form_id: form ?? formId,
  is_complete: true,
  is_test_submission: false,
  current_page: 0,
  json_data: JSON.stringify(values),
  metadata: '{}',
  collection_status: 'complete',
  submitter_id: submitters.get(respondent)?.id ?? null,
  submitter_display_id: respondent ? (name ?? respondent) : null,
  started_at: submittedAt,
  completed_at: submittedAt,
  completed_revision: '1',
  created_at: submittedAt,
  modified_at: submittedAt,
}));

const tables = { submitters: [...submitters.values()], submissions };
const columns = Object.entries(tables).flatMap(([table, [first]]) =>
  first ? [[table, Object.keys(first)]] : [],
);
const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
write({
  format: 'canvass-tenant',
  formatVersion: 1,
  service: 'submissions-svc',
  tenantId,
  tables: Object.fromEntries(columns),
});
for (const [table, rows] of Object.entries(tables)) for (const row of rows) write({ table, row });
