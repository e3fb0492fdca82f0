/** The demonstration data as an archive of submissions-svc (docs/moving-a-tenant.md), whose rows keep their times. */
import type { Person } from './people';
import type { DemoSubmission } from './submissions';
import { definitionOf, type DemoForm } from './tenant-forms';

interface ArchiveInput {
  tenantId: string;
  /** The time when the newest submission may have been completed. */
  until: Date;
  /** Ids of data lists, by name. */
  listIds: Readonly<Record<string, string>>;
  forms: readonly DemoForm[];
  people: readonly Person[];
  submissions: readonly DemoSubmission[];
}

const epoch = Date.UTC(2026, 0, 1);

/** An id as Canvass makes them, of an origin that no service uses: the same input gives the same id. */
const idAt = (time: Date, number: number): string =>
  String((BigInt(Math.max(0, time.getTime() - epoch)) << 22n) | (7n << 18n) | BigInt(number));

const createdAt = ({ ageDays }: DemoForm, until: Date) => new Date(until.getTime() - ageDays * 86_400_000);

/** The time when the newest submission was completed, from a form that an earlier run has imported. */
export const untilOf = (form: DemoForm, created: string): Date =>
  new Date(Date.parse(created) + form.ageDays * 86_400_000);

/** Ids of the forms in the archive, by name. */
export const formIdsOf = (forms: readonly DemoForm[], until: Date): Record<string, string> =>
  Object.fromEntries(forms.map((form, number) => [form.name, idAt(createdAt(form, until), number)]));

/** The lines of the archive: its head, then the rows of forms, respondents and submissions. */
export function archiveOf(input: ArchiveInput): string {
  const { tenantId, until, people, submissions } = input;
  const formIds = formIdsOf(input.forms, until);
  // A respondent is created with their first submission.
  const firsts = new Map<Person, Date>();
  for (const { person, startedAt } of submissions)
    if (person !== null && !firsts.has(person)) firsts.set(person, startedAt);
  const seen = people.filter((person) => firsts.has(person));
  const personIds = new Map(seen.map((person, number) => [person, idAt(firsts.get(person)!, number)]));
  const tables: Record<string, Record<string, unknown>[]> = {
    forms: input.forms.map((form) => formRow(form, formIds[form.name]!, input)),
    form_versions: input.forms.map((form) => ({
      tenant_id: tenantId,
      form_id: formIds[form.name],
      revision: '1',
      definition: definitionOf(form, input.listIds),
      saved_at: createdAt(form, until),
    })),
    submitters: seen.map((person) => ({
      tenant_id: tenantId,
      id: personIds.get(person),
      auth_provider: 'Integration',
      external_subject_id: person.externalSubjectId,
      display_id: person.displayId,
      profile: person.profile,
      created_at: firsts.get(person),
      modified_at: firsts.get(person),
    })),
    submissions: submissions.map((submission, number) => ({
      tenant_id: tenantId,
      id: idAt(submission.startedAt, number),
      form_id: formIds[submission.form.name],
      ...respondentColumns(submission, formIds[submission.form.name]!, personIds),
      ...stateColumns(submission),
    })),
  };
  const columns = Object.entries(tables).map(([table, rows]) => [table, Object.keys(rows[0] ?? {})]);
  const head = { format: 'canvass-tenant', formatVersion: 1, service: 'submissions-svc', tenantId };
  const lines = Object.entries(tables).flatMap(([table, rows]) => rows.map((row) => ({ table, row })));
  return [{ ...head, tables: Object.fromEntries(columns) as object }, ...lines]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

const formRow = (form: DemoForm, id: string, { tenantId, until, listIds }: ArchiveInput) => ({
  tenant_id: tenantId,
  id,
  name: form.name,
  description: form.description,
  is_enabled: true,
  is_public: true,
  limit_one_per_user: form.limitOnePerUser,
  definition: definitionOf(form, listIds),
  data_list_ids: form.lists.map((name) => listIds[name]),
  created_at: createdAt(form, until),
  modified_at: createdAt(form, until),
});

function respondentColumns(
  { form, person }: DemoSubmission,
  formId: string,
  personIds: ReadonlyMap<Person, string>,
): Record<string, unknown> {
  const submitterId = person === null ? null : personIds.get(person)!;
  return {
    submitter_id: submitterId,
    submitter_display_id: person?.displayId ?? null,
    submitter_profile_snapshot: person?.profile ?? null,
    restriction_key:
      submitterId !== null && form.limitOnePerUser
        ? `SingleSubmission:Form:${formId}:Submitter:${submitterId}`
        : null,
  };
}

function stateColumns(submission: DemoSubmission): Record<string, unknown> {
  const { startedAt, completedAt, collectionStatus } = submission;
  return {
    is_complete: completedAt !== null,
    is_test_submission: false,
    current_page: submission.currentPage,
    json_data: JSON.stringify(submission.answers),
    metadata: '{}',
    collection_status: collectionStatus,
    previous_collection_status: collectionStatus === 'screen_out' ? 'in_progress' : null,
    status: submission.status,
    started_at: collectionStatus === 'not_started' ? null : startedAt,
    completed_at: completedAt,
    completed_revision: completedAt === null ? null : '1',
    created_at: startedAt,
    modified_at: completedAt ?? startedAt,
  };
}
