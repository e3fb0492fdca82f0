import { Problem } from '@canvass/errors';
import type { JobStep } from '@canvass/jobs';
import type { Tx } from '@canvass/postgres';
import type { WorkbookState } from '@canvass/workbooks';
import type { ReadListLabels } from '../list-labels';
import type { SubmissionsQuotas } from '../quotas';
import {
  exportFormat,
  filterOf,
  nextMatches,
  type ExportBody,
  type ExportRow,
  type FilterMembers,
} from '../submissions';
import { countBytes, insertPart } from './exports.sql';

/** The request that the steps of an export need. */
export interface ExportRequest {
  formId: string;
  formName: string;
  format: ExportBody['format'];
  raw: boolean;
  bom: boolean;
  separator: ExportBody['separator'];
  idsAsText: boolean;
  answers: ExportBody['answers'];
  /** The locale of the labels of choices; null for their values. */
  locale: string | null;
  /** The locale of the titles in the header; null for names. */
  titles: string | null;
  fields?: string[];
  headings: Record<string, string>;
  /** The definition of the form at the time of the request; null without columns of answers. */
  definition: unknown;
  filter: FilterMembers;
}

/** The place where an export is. */
interface Place {
  /** Matches up to this id are written. */
  lastId: string;
  /** Written parts of the file. */
  parts: number;
  bytes: number;
  /** Of a workbook, with which the next step continues. */
  workbook?: WorkbookState;
}

/** The result of an export that is done. */
export type ExportResult = Pick<Place, 'parts' | 'bytes'> & { expiresAt: string };

/** What the requests of an older release lack. */
const plainCsv = { bom: false, separator: ',', idsAsText: false, titles: null, headings: {} } as const;

const limits = { scanned: 5_000, taken: 500, bytes: 4 * 1024 * 1024 };
const hourMs = 3_600_000;

export interface ExportStepOptions {
  profileFields: readonly string[];
  quotas: SubmissionsQuotas;
  readListLabels: ReadListLabels;
  keptHours: number;
}

/**
 * A step of an export: writes the next submissions as a part of the file. Each submission is as it is when
 * its step runs; those that were created after the request are left out. Fails the job when the tenant
 * reaches its quota. Counts `submissions`.
 */
export const exportStep =
  ({ profileFields, quotas, readListLabels, keptHours }: ExportStepOptions): JobStep<ExportRequest, Place> =>
  async (tx, { tenantId, id: jobId, request, counts, ...job }) => {
    const startedAt = performance.now();
    const { lastId = '0', parts = 0, bytes = 0 } = job.place;
    const filter = filterOf(tenantId, request.formId, timesOf(request.filter), profileFields);
    const window = { after: lastId, before: jobId };
    const { ids, last, isLast } = await nextMatches(tx, filter, null, window, limits, false);
    const sources = { db: tx, readListLabels };
    const format = exportFormat(sources, { ...plainCsv, ...request, tenantId, profileFields });
    const rows = await rowsOf(tx, tenantId, ids, format.select);
    const { submissions = 0 } = counts;
    const written = submissions + rows.length;
    const piece = { rows, isFirst: parts === 0, isLast, written: submissions, workbook: job.place.workbook };
    const { content, workbook } = await format.write(piece);
    const progress = { done: job.done + ids.length, counts: { submissions: written } };
    const place: Place = { lastId: last, parts, bytes, ...(workbook && { workbook }) };
    if (content.length > 0) {
      await tx.query(insertPart({ tenantId, jobId, part: parts, bytes: content.length, content }));
      place.parts += 1;
      place.bytes += content.length;
      const refusal = await refusalOf(tx, quotas, tenantId, content.length);
      if (refusal !== null) return { ...progress, place, state: 'failed', error: refusal };
    }
    const expiresAt = new Date(Date.now() + keptHours * hourMs).toISOString();
    return {
      ...progress,
      place,
      state: isLast ? 'done' : 'running',
      ...(isLast && { result: { parts: place.parts, bytes: place.bytes, expiresAt } satisfies ExportResult }),
      pauseMs: performance.now() - startedAt,
    };
  };

/** A job has them as text. */
const timesOf = ({ from, to, ...filter }: FilterMembers): FilterMembers => ({
  ...filter,
  from: from ? new Date(from) : null,
  to: to ? new Date(to) : null,
});

/** Reads the rows without those that were deleted since their ids were read. */
async function rowsOf(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  select: string,
): Promise<ExportRow[]> {
  if (ids.length === 0) return [];
  return tx.query<ExportRow>(
    `select ${select} from submissions s
     where s.tenant_id = $1 and s.id = any ($2::bigint[]) and s.deleted_at is null order by s.id`,
    [tenantId, ids],
  );
}

/** The reason why the tenant cannot store the part, as a sentence. */
async function refusalOf(
  tx: Tx,
  quotas: SubmissionsQuotas,
  tenantId: string,
  added: number,
): Promise<string | null> {
  try {
    await quotas.assertRoom(tx, tenantId, 'exportBytes', countBytes({ tenantId }), added);
    return null;
  } catch (error) {
    if (error instanceof Problem && error.errorCode === 'quota_exceeded')
      return 'The stored exports of the tenant have reached their quota (exportBytes).';
    throw error;
  }
}
