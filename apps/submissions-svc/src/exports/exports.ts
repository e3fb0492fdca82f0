import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import { exportKind, readJob, startJob, type JobRow } from '@canvass/jobs';
import { estimateRows, totalOf, type Database, type Queryable, type Transactor } from '@canvass/postgres';
import { attachment, streamed, streamText, type Answer } from '@canvass/service-kit';
import type { SubmissionsQuotas } from '../quotas';
import { whereOf, type SubmissionFilter } from '../filters';
import { exportTypes, filterOf, getFormDefinition, localesOf, type ExportBody } from '../submissions';
import type { ExportRequest, ExportResult } from './export-step';
import { countBytes, readPart } from './exports.sql';

/** Exports of a tenant that run at the same time. */
const maxRunning = 5;

/** An export as the API shows it. */
export interface ExportView {
  id: string;
  formId: string;
  format: ExportBody['format'];
  state: JobRow['state'];
  /** Submissions that matched at the time of the request; an estimate with conditions and above 10,000. */
  total: number;
  /** Submissions that are written. */
  done: number;
  /** The size of the file; null before it is complete. */
  bytes: number | null;
  reason: string | null;
  startedBy: JobRow['startedBy'];
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** The time when the file is deleted; null before it is complete. */
  expiresAt: Date | null;
}

function viewOf({ id, state, request, total, done, result, ...job }: JobRow): ExportView {
  const { formId, format } = request as ExportRequest;
  const { reason, startedBy, error, createdAt, finishedAt } = job;
  const { bytes, expiresAt } = (result ?? {}) as Partial<ExportResult>;
  return {
    id,
    formId,
    format,
    state,
    total,
    done,
    bytes: bytes ?? null,
    reason,
    startedBy,
    error,
    createdAt,
    finishedAt,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
  };
}

export type NewExportBody = ExportBody & { reason?: string };

export interface ExportDeps {
  quotas: SubmissionsQuotas;
  profileFields: readonly string[];
  wakeJobs(): void;
}

/**
 * Starts a job that writes the submissions of a form to a file.
 *
 * @throws {Problem} `not_found` for the form, `validation_failed` for invalid filters, `conflict` if five
 * exports of the tenant run, `quota_exceeded`
 */
export async function startExport(
  db: Transactor,
  { quotas, profileFields, wakeJobs }: ExportDeps,
  { tenantId, formId, body }: { tenantId: string; formId: string; body: NewExportBody },
): Promise<ExportView> {
  const [form] = await db.query(getFormDefinition({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
  const filter = filterOf(tenantId, formId, body, profileFields);
  const total = await aboutHowMany(db, filter);
  const { format, raw, bom, separator, idsAsText, answers, labels, fields, headings } = body;
  const { reason = null, search, from, to } = body;
  const request: ExportRequest = {
    formId,
    formName: form.name,
    format,
    raw,
    bom,
    separator,
    idsAsText,
    answers,
    ...localesOf(body),
    ...(fields && { fields }),
    headings,
    definition: answers === 'columns' ? form.definition : null,
    filter: { filter: body.filter, search: search ?? null, from: from ?? null, to: to ?? null },
  };
  return db.transaction(async (tx) => {
    await quotas.assertRoom(tx, tenantId, 'exportBytes', countBytes({ tenantId }), 1);
    const job = await startJob(tx, {
      tenantId,
      kind: exportKind,
      request,
      reason,
      total: total!,
      maxRunning,
    });
    tx.afterCommit(() => wakeJobs());
    const after = { formId, format, raw, answers, labels, total };
    await recordAudit(tx, { tenantId, object: ['job', job.id], after });
    return viewOf(job);
  });
}

/**
 * Exact up to 10,000 submissions without conditions, else an estimate: conditions may read all answers of the
 * form, which the steps of the job do anyway.
 */
async function aboutHowMany(db: Queryable, filter: SubmissionFilter): Promise<number> {
  const { where, values } = whereOf(filter);
  const source = { text: `select s.id from submissions s where ${where}`, values };
  if (filter.conditions.length > 0 || filter.search !== null) return estimateRows(db, source);
  const { total, totalIsExact } = await totalOf(db, [source], 'exact');
  return totalIsExact ? total! : Math.max(total!, await estimateRows(db, source));
}

export interface AskedExport {
  tenantId: string;
  id: string;
  /** The forms that the caller is restricted to. */
  formIds: ReadonlySet<string> | undefined;
}

/** @throws {Problem} `not_found` */
async function findExport(db: Queryable, { tenantId, id, formIds }: AskedExport): Promise<JobRow> {
  const job = await readJob(db, tenantId, id, exportKind);
  if (formIds?.has((job.request as ExportRequest).formId) === false) throw notFound('job', id);
  return job;
}

/** @throws {Problem} `not_found` */
export const readExport = async (db: Queryable, asked: AskedExport): Promise<ExportView> =>
  viewOf(await findExport(db, asked));

/**
 * The file of an export. Each download is recorded.
 *
 * @throws {Problem} `not_found`, also for an expired file; `conflict` for an export without a file
 */
export async function downloadExport(db: Database, asked: AskedExport): Promise<Answer> {
  const { tenantId, id } = asked;
  const { state, request, result } = await findExport(db, asked);
  if (state === 'running') throw new Problem('conflict', { detail: 'The export is still running.' });
  if (state !== 'done')
    throw new Problem('conflict', { detail: 'The export did not complete, it has no file.' });
  const { parts, bytes, expiresAt } = result as unknown as ExportResult;
  if (Date.parse(expiresAt) <= Date.now())
    throw new Problem('not_found', { detail: 'The file of the export has expired.' });
  const { formId, formName, format } = request as ExportRequest;
  await recordAudit(db, { tenantId, object: ['form', formId], after: { exportId: id, format } });
  return streamed(exportTypes[format], streamText(partsOf(db, tenantId, id, parts)), {
    headers: {
      'Content-Disposition': attachment(`${formName} submissions`, format),
      'Content-Length': String(bytes),
    },
  });
}

/** A file that expires during its download ends early, so that the client sees that it is incomplete. */
export async function* partsOf(
  db: Queryable,
  tenantId: string,
  jobId: string,
  parts: number,
): AsyncGenerator<Buffer> {
  for (let part = 0; part < parts; part += 1) {
    const [row] = await db.query(readPart({ tenantId, jobId, part }));
    if (!row) throw new Error('A part of the file is missing.');
    yield row.content;
  }
}
