import type { SubmissionView } from '@canvass/contracts';
import { readJsonForFloats } from '@canvass/json-numbers';
import { answersPrefix, pathOfAnswer } from '../answer-texts';
import { deepestJson, isTooDeep } from './json-text';

/** SQL expressions over the submission `s`, of its members and of what events do not have. */
const expressions: Record<keyof SubmissionView | 'answerFaults', string> = {
  id: 's.id::text',
  formId: 's.form_id::text',
  isComplete: 's.is_complete',
  isTestSubmission: 's.is_test_submission',
  currentPage: 's.current_page',
  jsonData: 's.json_data',
  metadata: 's.metadata',
  collectionStatus: 's.collection_status',
  status: 's.status',
  submitterId: 's.submitter_id::text',
  submitterDisplayId: 's.submitter_display_id',
  submitterProfileSnapshot: 's.submitter_profile_snapshot',
  submittedBy: 's.submitted_by',
  startedAt: 'api_time(s.started_at)',
  completedAt: 'api_time(s.completed_at)',
  createdAt: 'api_time(s.created_at)',
  modifiedAt: 'api_time(s.modified_at)',
  revision: 's.revision::text',
  answerFaults: 's.answer_faults',
};

/** The members that `fields` can name, beside `answers.<path>`. */
export const submissionFields = Object.keys(expressions) as (keyof typeof expressions)[];

/** The columns that a row of the list reads of a submission. */
export interface RowColumns {
  /** SQL expression: the object of the chosen members. */
  view: string;
  /** SQL expression: the text of the answers, if some are chosen; otherwise null. */
  answers: string;
  /** Returns whether answers or metadata are read, which can be large. */
  isLarge: boolean;
}

export const wholeSubmission: RowColumns = { view: 'submission_json(s)', answers: 'null', isLarge: true };

/** @param fields names of `submissionFields` and `answers.<path>` */
export function columnsOf(fields: readonly string[]): RowColumns {
  const members = submissionFields.filter((name) => fields.includes(name));
  const pairs = members.map((name) => `'${name}', ${expressions[name]}`);
  const hasAnswers = fields.some((name) => name.startsWith(answersPrefix));
  return {
    view: `json_build_object(${pairs.join(', ')})`,
    answers: hasAnswers ? 's.json_data' : 'null',
    isLarge: hasAnswers || fields.includes('jsonData') || fields.includes('metadata'),
  };
}

const tooDeep = `nested deeper than ${deepestJson} levels: see jsonData`;

/**
 * The chosen answers by path. A path without a value is left out. Older answers may be too deep for a
 * response: then a sentence is in the place of each object and list.
 */
export function pickAnswers(text: string, fields: readonly string[]): Record<string, unknown> {
  const all = readJsonForFloats(text);
  const isDeep = isTooDeep(text);
  const picked = fields.flatMap((name): [string, unknown][] => {
    if (!name.startsWith(answersPrefix)) return [];
    const path = name.slice(answersPrefix.length);
    const value = valueAt(all, path);
    if (value === undefined) return [];
    return [[path, isDeep && typeof value === 'object' && value !== null ? tooDeep : value]];
  });
  return Object.fromEntries(picked);
}

/** A question whose name contains dots wins over a path of members. */
function valueAt(all: unknown, path: string): unknown {
  const whole = memberOf(all, path);
  return whole === undefined ? pathOfAnswer(path).reduce(memberOf, all) : whole;
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? (value[Number(name)] as unknown) : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
