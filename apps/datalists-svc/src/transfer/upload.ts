import { TimeoutError, type Turns } from '@canvass/async';
import { Problem } from '@canvass/errors';
import { contentTypeOf } from '@canvass/service-kit';
import { workbookType } from '@canvass/workbooks';
import type { IncomingMessage } from 'node:http';
import { withLocales } from '../catalog';
import type { FaultList } from './faults';
import type { FileFormat } from './csv-dialect';
import type { Source, TableSource } from './import-source';
import type { ImportMode } from './item-rules';
import type { ColumnMap } from './item-table';
import { bytesOfBody, piecesOf, textOfBody } from './source-text';
import type { ImportBody } from './transfer.schemas';

export interface UploadLimits {
  /** Bytes of a JSON import body and of a workbook, which are read into memory. */
  jsonBytes: number;
  /** Bytes of a streamed CSV or NDJSON body, and of an unpacked workbook. */
  streamBytes: number;
}

/** The content types of files that are not JSON. */
export const tableTypes = ['text/csv', workbookType];
export const fileTypes = [...tableTypes, 'application/x-ndjson', 'application/ndjson'];

export const noColumns: ColumnMap = new Map();

interface UploadInput {
  request: IncomingMessage;
  /** Undefined for a streamed body, which is not parsed. */
  body: unknown;
  query: { mode: ImportMode; ensureLocales: string[]; columns?: ColumnMap };
}

/** The file of a request, its mode, and the locales that it adds. `bytes` counts what was streamed so far. */
export function uploadOf(
  { request, body: given, query }: UploadInput,
  { jsonBytes, streamBytes }: UploadLimits,
): { source: Source; mode: ImportMode; ensureLocales: string[]; bytes(): number } {
  const body = given as ImportBody | undefined;
  const ensureLocales = withLocales(body?.ensureLocales ?? [], query.ensureLocales);
  let bytes = 0;
  const mode = body?.mode ?? query.mode;
  const counted = (source: Source) => ({ source, mode, ensureLocales, bytes: () => bytes });
  if (body?.format === 'csv')
    return counted({ format: 'csv', columns: body.columns ?? noColumns, open: () => piecesOf(body.csv!) });
  if (body !== undefined) return counted({ format: 'json', items: body.items! });
  const count = (added: number) => (bytes += added);
  if (tableTypes.includes(contentTypeOf(request).mediaType))
    return counted(tableOf(request, query.columns ?? noColumns, { jsonBytes, streamBytes }, count));
  const open = (faults: FaultList) => textOfBody(request, streamBytes, { faults, file: null }, count);
  return counted({ format: 'ndjson', open });
}

/** The table of a request whose type is one of `tableTypes`. */
export function tableOf(
  request: IncomingMessage,
  columns: ColumnMap,
  { jsonBytes, streamBytes }: UploadLimits,
  onBytes: (count: number) => void,
): TableSource {
  if (contentTypeOf(request).mediaType === workbookType) {
    const open = () => bytesOfBody(request, jsonBytes, onBytes);
    return { format: 'xlsx', columns, maxBytes: streamBytes, open };
  }
  const open = (faults: FaultList, file: FileFormat) =>
    textOfBody(request, streamBytes, { faults, file }, onBytes);
  return { format: 'csv', columns, open };
}

/** Maximum wait of an import for its turn, in milliseconds; below the time limit of the gateway. */
export const maxWaitMs = 30_000;

/**
 * Runs an import when it is the turn of the tenant.
 *
 * @throws {Problem} `service_unavailable` if there is no turn in time
 */
export async function inTurn<T>(turns: Turns, tenantId: string, work: () => Promise<T>): Promise<T> {
  const giveBack = await turns.take(tenantId).catch((error: unknown) => {
    if (!(error instanceof TimeoutError)) throw error;
    throw new Problem('service_unavailable', {
      detail: 'Too many imports are in progress. Try again later.',
      headers: { 'Retry-After': '30' },
      cause: error,
    });
  });
  try {
    return await work();
  } finally {
    giveBack();
  }
}
