import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
/** What is read before other requests get the process, for some milliseconds each. */
const charactersAtOnce = 256 * 1024;
const peopleAtOnce = 100;

const submitterColumns = new Set(['externalSubjectId', 'displayId', 'authProvider', 'appUserId']);
const profilePrefix = 'profile.';
const answersPrefix = 'answers.';

/**
 * Reads the people of a file: CSV with a header of `externalSubjectId`, `displayId`, `authProvider`,
 * `appUserId`, `profile.<field>` and `answers.<question>`; or NDJSON of what a create on behalf takes. All
 * are checked by `schema`. Other requests get their turn meanwhile.
 *
 * @throws {Problem} `import_rejected` with the faults of all lines, at most 100
 */
export async function readPeople(
  bytes: Buffer,
  format: 'csv' | 'ndjson',
  schema: Joi.ObjectSchema<InvitedPerson>,
): Promise<InvitedPerson[]> {
  const faults: Fault[] = [];
  const rows = await (format === 'csv' ? csvRows : jsonRows)(textOf(bytes), faults);
  if (faults.length === 0 && rows.length === 0)
    refuse([faultOf(null, null, 'file_empty', 'There are no people.')]);
  if (rows.length > maxPeople)
    refuse([faultOf(null, null, 'too_many_people', `A file may have ${maxPeople} people at most.`)]);
  const people: InvitedPerson[] = [];
  const lines = new Map<string, number>();
  for (const [at, { line, value }] of rows.entries()) {
    if (at % peopleAtOnce === 0) await nextTurn();
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

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += charactersAtOnce) {
    yield text.slice(at, at + charactersAtOnce);
    await nextTurn();
  }
}

/** The rows of a table. An empty cell is an absent member. */
async function csvRows(text: string, faults: Fault[]): Promise<Row[]> {
  const rows: Row[] = [];
  await new Promise<void>((resolve, reject) => {
    Papa.parse<Record<string, string>>(Readable.from(piecesOf(text)), {
      header: true,
      skipEmptyLines: 'greedy',
      delimitersToGuess: [...separators],
      chunk({ data, errors, meta }) {
        const first = rows.length + 2;
        if (rows.length === 0 && faults.length === 0) checkColumns(meta.fields ?? [], faults);
        for (const { row = -1, message, code } of errors)
          if (code !== 'UndetectableDelimiter') faults.push(faultOf(row + 2, null, 'row_invalid', message));
        data.forEach((cells, at) => rows.push({ line: first + at, value: personOf(cells) }));
      },
      complete: () => resolve(),
      error: reject,
    });
  });
  // The rows of a table whose header is wrong would all be wrong.
  return faults.length > 0 ? [] : rows;
}

function checkColumns(names: readonly string[], faults: Fault[]): void {
  for (const name of names)
    if (!submitterColumns.has(name) && !name.startsWith(profilePrefix) && !name.startsWith(answersPrefix))
      faults.push(
        faultOf(
          1,
          name,
          'column_unknown',
          `The column "${name}" is unknown: the names are ${[...submitterColumns].join(', ')}, profile.<field> and answers.<question>.`,
        ),
      );
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

async function jsonRows(text: string, faults: Fault[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (at % peopleAtOnce === 0) await nextTurn();
    if (line.trim() === '') continue;
    if (faults.length >= maxFaults) break;
    try {
      rows.push({ line: at + 1, value: JSON.parse(line) });
    } catch {
      faults.push(faultOf(at + 1, null, 'json_invalid', 'The line is not JSON.'));
    }
  }
  return rows;
}
