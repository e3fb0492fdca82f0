import { recordAudit } from '@canvass/audit';
import type { SubmissionView } from '@canvass/contracts';
import { readInBatches, type Database } from '@canvass/postgres';
import { attachment, streamed, streamText, type Answer } from '@canvass/service-kit';
import { submissionsOfSubmitter, versionsOfSubmitter } from './erase.sql';
import { readSubmitter } from './read-submitter';
import type { SubmitterView } from './submitters.sql';

/** A submission of the respondent, possibly deleted. */
export type ExportedSubmission = SubmissionView & { formName: string; deletedAt: string | null };

/** Answers that a later save replaced. */
export interface FormerAnswers {
  submissionId: string;
  /** The last revision of the submission that had these answers. */
  revision: string;
  jsonData: string;
  metadata: string;
  savedAt: string;
  replacedAt: string;
}

/** The document. */
export interface SubmitterExport {
  submitter: SubmitterView;
  submissions: ExportedSubmission[];
  formerAnswers: FormerAnswers[];
}

/**
 * All stored data of a respondent as one JSON document (`SubmitterExport`), streamed. It includes deleted
 * submissions, each with the name of its form, and answers that later saves replaced.
 *
 * @throws {Problem} `not_found`
 */
export async function exportSubmitter(
  db: Database,
  tenantId: string,
  submitterId: string,
  signal: AbortSignal,
): Promise<Answer> {
  const { view } = await readSubmitter(db, tenantId, submitterId);
  await recordAudit(db, { tenantId, object: ['submitter', submitterId] });
  const rows = (sql: string) => readInBatches<string[]>(db, { sql, values: [tenantId, submitterId] }, signal);

  async function* document(): AsyncGenerator<string> {
    yield `{\n"submitter": ${JSON.stringify(view)},\n"submissions": [`;
    yield* elements(
      rows(submissionsOfSubmitter),
      ([formName, deletedAt, json]) =>
        `{"formName":${formName},"deletedAt":${deletedAt ?? 'null'},${json!.slice(json!.indexOf('{') + 1)}`,
    );
    yield '],\n"formerAnswers": [';
    yield* elements(rows(versionsOfSubmitter), ([version]) => version!);
    yield ']\n}\n';
  }
  return streamed('application/json; charset=utf-8', streamText(document()), {
    headers: { 'Content-Disposition': attachment(`submitter ${submitterId}`, 'json') },
  });
}

async function* elements(
  batches: AsyncIterable<string[][]>,
  textOf: (row: string[]) => string,
): AsyncGenerator<string> {
  let separator = '\n';
  for await (const rows of batches) {
    yield separator + rows.map(textOf).join(',\n');
    separator = ',\n';
  }
}
