import { Problem } from '@canvass/errors';
import { separators, TextReader } from '@canvass/workbooks';
import type Joi from 'joi';
import Papa from 'papaparse';
import type { OnBehalfSubmitter } from '../submitters';

/** A person who is to be invited, with answers that are already known. */
export interface InvitedPerson {
  submitter: OnBehalfSubmitter;
  jsonData?: string;
  metadata?: string;
  currentPage?: number;
}

interface Fault {
  /** Line of the file, 1 is the first. */
  line: number | null;
  column: number | null;
  field: string | null;
  code: string;
  message: string;
}

export const maxPeople = 100_000;
const maxFaults = 100;

const submitterColumns = new Set(['externalSubjectId', 'displayId', 'authProvider', 'appUserId']);
const profilePrefix = 'profile.';
const answersPrefix = 'answers.';

/**
 * Reads the people of a file: CSV with a header of `externalSubjectId`, `displayId`, `authProvider`,
 * `appUserId`, `profile.<field>` and `answers.<question>`; or NDJSON of what a create on behalf takes. All
 * are checked by `schema`.
 *
 * @throws {Problem} `import_rejected` with the faults of all lines, at most 100
 */
export function readPeople(
  bytes: Buffer,
  format: 'csv' | 'ndjson',
  schema: Joi.ObjectSchema<InvitedPerson>,
): InvitedPerson[] {
  const faults: Fault[] = [];
  const rows = format === 'csv' ? csvRows(textOf(bytes), faults) : jsonRows(textOf(bytes), faults);
  if (faults.length === 0 && rows.length === 0)
    refuse([faultOf(null, null, 'file_empty', 'There are no people.')]);
  if (rows.length > maxPeople)
    refuse([faultOf(null, null, 'too_many_people', `A file may have ${maxPeople} people at most.`)]);
  const people: InvitedPerson[] = [];
  const lines = new Map<string, number>();
  for (const { line, value } of rows) {
    if (faults.length >= maxFaults) break;
    const { error, value: person } = schema.validate(value, { abortEarly: false });
    for (const { path, message } of error?.details ?? [])
      faults.push(faultOf(line, path.join('.'), 'person_invalid', `${path.join('.')} ${message}.`));
    if (error) continue;
    const { authProvider, externalSubjectId } = person.submitter;
    const key = JSON.stringify([authProvider ?? null, externalSubjectId]);
    const earlier = lines.get(key);
    if (earlier !== undefined)
      faults.push(faultOf(line, null, 'person_repeated', `The person is in line ${earlier}, too.`));
    lines.set(key, line);
    people.push(person);
  }
  if (faults.length > 0) refuse(faults.slice(0, maxFaults));
  return people;
}

interface Row {
  line: number;
  value: unknown;
}

const faultOf = (line: number | null, field: string | null, code: string, message: string): Fault => ({
  line,
  column: null,
  field,
  code,
  message,
});

function refuse(faults: Fault[]): never {
  const message = faults[0]!.message;
  throw new Problem('import_rejected', {
    detail: faults.length === 1 ? message : `${faults.length} errors were found; the first: ${message}`,
    extra: { faults },
  });
}

/** The text in the encoding of its bytes, as spreadsheets write it. */
function textOf(bytes: Buffer): string {
  const reader = new TextReader();
  try {
    return (reader.read(bytes) + reader.end()).replace(/^\ufeff/, '');
  } catch {
    return refuse([
      faultOf(null, null, 'not_utf8', 'The bytes of the file are not of one encoding; save it as UTF-8.'),
    ]);
  }
}

/** The rows of a table. An empty cell is an absent member. */
function csvRows(text: string, faults: Fault[]): Row[] {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    delimitersToGuess: [...separators],
  });
  for (const { row = -1, message, code } of errors)
    if (code !== 'UndetectableDelimiter') faults.push(faultOf(row + 2, null, 'row_invalid', message));
  for (const name of meta.fields ?? [])
    if (!submitterColumns.has(name) && !name.startsWith(profilePrefix) && !name.startsWith(answersPrefix))
      faults.push(
        faultOf(
          1,
          name,
          'column_unknown',
          `The column "${name}" is unknown: the names are ${[...submitterColumns].join(', ')}, profile.<field> and answers.<question>.`,
        ),
      );
  // The rows of a table whose header is wrong would all be wrong.
  return faults.length > 0 ? [] : data.map((cells, at) => ({ line: at + 2, value: personOf(cells) }));
}

function personOf(cells: Record<string, string>): unknown {
  const submitter: [string, unknown][] = [];
  const profile: [string, string][] = [];
  const answers: [string, string][] = [];
  for (const [name, text] of Object.entries(cells)) {
    if (text === '') continue;
    if (name.startsWith(profilePrefix)) profile.push([name.slice(profilePrefix.length), text]);
    else if (name.startsWith(answersPrefix)) answers.push([name.slice(answersPrefix.length), text]);
    else submitter.push([name, text]);
  }
  if (profile.length > 0) submitter.push(['profile', Object.fromEntries(profile)]);
  return {
    submitter: Object.fromEntries(submitter),
    ...(answers.length > 0 && { jsonData: JSON.stringify(Object.fromEntries(answers)) }),
  };
}

function jsonRows(text: string, faults: Fault[]): Row[] {
  const rows: Row[] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    if (line.trim() === '' || faults.length >= maxFaults) return;
    try {
      rows.push({ line: at + 1, value: JSON.parse(line) });
    } catch {
      faults.push(faultOf(at + 1, null, 'json_invalid', 'The line is not JSON.'));
    }
  });
  return rows;
}
