import { collectionStatuses } from '@canvass/contracts';

/** The format of a field's values in a filter, and how they are compared. */
export type FieldKind = 'integer' | 'bigint' | 'boolean' | 'time' | 'text' | 'choice';

export interface FilterField {
  kind: FieldKind;
  /** SQL expression over the submission `s`. */
  column: string;
  /** The field may be absent, which an empty value and `null` stand for. */
  nullable?: true;
  /** All values of a `choice`. */
  values?: readonly string[];
  /** False if it cannot be sorted by. */
  sortable?: false;
  /** True if it is no member of a submission. */
  isFilterOnly?: true;
}

/**
 * The API returns milliseconds, so clients can only compare with those. In UTC without a zone, because only
 * then the expression is immutable and can be indexed.
 */
const time = (column: string) =>
  ({ kind: 'time', column: `date_trunc('milliseconds', ${column} at time zone 'UTC')` }) as const;

/** The fields that a filter can name, in the order of the model. */
export const filterFields: Readonly<Record<string, FilterField>> = {
  id: { kind: 'bigint', column: 's.id' },
  formId: { kind: 'bigint', column: 's.form_id' },
  isComplete: { kind: 'boolean', column: 's.is_complete' },
  isTestSubmission: { kind: 'boolean', column: 's.is_test_submission' },
  currentPage: { kind: 'integer', column: 's.current_page' },
  jsonData: { kind: 'text', column: 's.json_data', sortable: false },
  metadata: { kind: 'text', column: 's.metadata', sortable: false },
  collectionStatus: {
    kind: 'choice',
    column: 's.collection_status',
    values: collectionStatuses,
  },
  status: { kind: 'choice', column: 's.status', values: ['new', 'read', 'approved', 'declined'] },
  submitterId: { kind: 'bigint', column: 's.submitter_id', nullable: true },
  submitterDisplayId: { kind: 'text', column: 's.submitter_display_id', nullable: true },
  submittedBy: { kind: 'text', column: 's.submitted_by', nullable: true },
  startedAt: { ...time('s.started_at'), nullable: true },
  completedAt: { ...time('s.completed_at'), nullable: true },
  createdAt: time('s.created_at'),
  modifiedAt: time('s.modified_at'),
  revision: { kind: 'bigint', column: 's.revision' },
  answerCheck: {
    kind: 'choice',
    column: `case when s.answer_faults is null then 'unchecked' when s.answer_faults::text = '[]' then 'passed' else 'failed' end`,
    values: ['failed', 'passed', 'unchecked'],
    sortable: false,
    isFilterOnly: true,
  },
  invitation: {
    kind: 'choice',
    column: `(select case when s.is_complete or s.collection_status = 'screen_out' then 'done'
       when s.started_at is null and bool_and(l.last_used_at is null) then 'not_opened' else 'begun' end
     from submission_links l where l.tenant_id = s.tenant_id and l.submission_id = s.id and l.job_id is not null having count(*) > 0)`,
    values: ['not_opened', 'begun', 'done'],
    nullable: true,
    sortable: false,
    isFilterOnly: true,
  },
};

export const sortableFields = Object.keys(filterFields).filter(
  (name) => filterFields[name]!.sortable !== false,
);
