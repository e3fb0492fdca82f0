import { createTurns, TimeoutError, type Turns } from '@canvass/async';
import { recordAudit } from '@canvass/audit';
import type { DataListItem } from '@canvass/contracts';
import { Problem } from '@canvass/errors';
import { contentTypeOf, endpoint, ok, type Endpoint } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import { findList, listParams, localesLimit, refOf, withLocales, type ListRow } from '../catalog';
import { exportAnswer } from './export-list';
import { importList, type ImportDeps, type Source } from './import-list';
import type { ItemLimits } from './item-rules';
import { piecesOf, textOfBody } from './source-text';
import { exportedItems, importedList } from './transfer-answers';
import { exportBody, importBody, importQuery, type ImportBody } from './transfer.schemas';

interface TransferLimits extends ItemLimits {
  /** Bytes of a JSON import body, which is read into memory. */
  jsonBytes: number;
  /** Bytes of a streamed CSV or NDJSON body. */
  streamBytes: number;
  /** Maximum number of concurrent imports per process. A tenant has at most half of them. */
  imports: number;
  /** Number of stored versions per list. */
  keptVersions: number;
}

export interface TransferDeps extends ImportDeps {
  limits: TransferLimits;
  itemsOf(row: ListRow): AsyncIterable<DataListItem[]>;
}

export function transferRoutes(deps: TransferDeps): Endpoint[] {
  const { db, limits, itemsOf } = deps;
  const turns = createTurns(limits.imports, longestWaitMs);
  return [
    endpoint.write({
      method: 'put',
      path: '/api/data-lists/:id/import',
      operationId: 'importDataList',
      audit: { action: 'data_list.imported' },
      summary: 'Replace all items of a list, or change nothing',
      description: aboutImport(limits),
      access: { permission: 'DataLists.Edit' },
      params: listParams,
      query: importQuery,
      body: importBody,
      bodyLimit: limits.jsonBytes,
      rawBody: ['text/csv', 'application/x-ndjson', 'application/ndjson'],
      answers: { 200: importedList },
      problems: ['quota_exceeded', 'import_rejected', 'conflict'],
      async handle(input) {
        // A streamed body is not parsed.
        const body = input.body as ImportBody | undefined;
        const { dryRun, ensureLocales } = input.query;
        const request = {
          source: sourceOf(body, input.request, limits.streamBytes),
          ensureLocales: withLocales(body?.ensureLocales ?? [], ensureLocales),
          dryRun,
        };
        const giveBack = await turnOf(turns, input.principal.tenantId);
        try {
          const answer = await importList(deps, refOf(input), request);
          return ok(answer, { etag: answer.revision });
        } finally {
          giveBack();
        }
      },
    }),
    endpoint.read({
      method: 'post',
      path: '/api/data-lists/:id/export',
      operationId: 'exportDataList',
      audit: { action: 'data_list.exported' },
      summary: 'All items as a file',
      description: 'Importing an exported file changes nothing, unless its formulas were escaped.',
      access: { permission: 'DataLists.View' },
      params: listParams,
      body: exportBody,
      answers: { 200: exportedItems },
      async handle({ principal, params, body }) {
        const { tenantId } = principal;
        const row = await findList(db, tenantId, params.id);
        await recordAudit(db, { tenantId, object: ['data_list', row.id], after: { format: body.format } });
        return exportAnswer(row, itemsOf(row), body);
      },
    }),
  ];
}

/** Longest wait of an import for its turn, in milliseconds; below the time limit of the gateway. */
const longestWaitMs = 30_000;

/** @throws {Problem} `service_unavailable` if there is no turn in time */
const turnOf = (turns: Turns, tenantId: string): Promise<() => void> =>
  turns.take(tenantId).catch((error: unknown) => {
    if (!(error instanceof TimeoutError)) throw error;
    throw new Problem('service_unavailable', {
      detail: 'Too many imports are in progress. Try again later.',
      headers: { 'Retry-After': '30' },
      cause: error,
    });
  });

const aboutImport = ({ items, value, label, jsonBytes, streamBytes }: TransferLimits): string =>
  `Searches answer from the old items until the new ones are all there. \`value\` is unique in the list. A refused import lists its faults, at most 100.

CSV needs the header \`value,default,<locale>...\`, as RFC 4180 and UTF-8; a blank cell clears the label. Blanks around a value or a label are part of it, so that \`a\` and \`a \` are two values.

Limits here: ${items} items, ${localesLimit} locales, ${value} characters of a value, ${label} of a label, ${jsonBytes} bytes of JSON, ${streamBytes} bytes of a stream.`;

function sourceOf(body: ImportBody | undefined, request: IncomingMessage, streamBytes: number): Source {
  if (body === undefined) {
    const format = contentTypeOf(request).mediaType === 'text/csv' ? 'csv' : 'ndjson';
    return { format, open: () => textOfBody(request, streamBytes) };
  }
  if (body.format === 'csv') return { format: 'csv', open: () => piecesOf(body.csv!) };
  return { format: 'json', items: body.items! };
}
