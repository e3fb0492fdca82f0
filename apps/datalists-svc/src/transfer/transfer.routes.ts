import { createTurns } from '@canvass/async';
import { recordAudit } from '@canvass/audit';
import type { DataListItem } from '@canvass/contracts';
import { endpoint, ok, type Endpoint } from '@canvass/service-kit';
import { findList, listParams, localesLimit, refOf, type ListRow } from '../catalog';
import { exportAnswer } from './export-list';
import { importList } from './import-list';
import { importRoutes, type ImportsDeps } from './imports.routes';
import type { ItemLimits } from './item-rules';
import { previewFile } from './preview-file';
import { exportedItems, filePreview, importedList } from './transfer-answers';
import { exportBody, importBody, importQuery } from './transfer.schemas';
import {
  fileTypes,
  inTurn,
  maxWaitMs,
  noColumns,
  tableOf,
  tableTypes,
  uploadOf,
  type UploadLimits,
} from './upload';

interface TransferLimits extends ItemLimits, UploadLimits {
  /** Maximum number of concurrent imports per process. A tenant has at most half of them. */
  imports: number;
  /** Number of stored versions per list. */
  keptVersions: number;
}

export interface TransferDeps extends ImportsDeps {
  limits: TransferLimits;
  itemsOf(row: ListRow): AsyncIterable<DataListItem[]>;
}

export function transferRoutes(deps: TransferDeps): Endpoint[] {
  const { db, limits, itemsOf } = deps;
  const turns = createTurns({ max: limits.imports, maxWaitMs });
  return [
    endpoint.write({
      method: 'put',
      path: '/api/data-lists/:id/import',
      operationId: 'importDataList',
      audit: { action: 'data_list.imported' },
      summary: 'Replace all items of a list or merge others with them, or change nothing',
      description: aboutImport(limits),
      access: { permission: 'DataLists.Edit' },
      params: listParams,
      query: importQuery,
      body: importBody,
      bodyLimit: limits.jsonBytes,
      rawBody: fileTypes,
      answers: { 200: importedList },
      problems: ['quota_exceeded', 'import_rejected', 'conflict'],
      async handle(input) {
        const { source, mode, ensureLocales } = uploadOf(input, limits);
        const request = { source, mode, ensureLocales, dryRun: input.query.dryRun };
        const answer = await inTurn(turns, input.principal.tenantId, () =>
          importList(deps, refOf(input), request),
        );
        return ok(answer, { etag: answer.revision });
      },
    }),
    endpoint.read({
      method: 'post',
      path: '/api/data-lists/:id/export',
      operationId: 'exportDataList',
      audit: { action: 'data_list.exported' },
      summary: 'All items as a file',
      description:
        'Importing an exported file changes nothing, unless its formulas were escaped or its ids written as text.',
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
    endpoint.write({
      method: 'post',
      path: '/api/data-lists/:id/import-preview',
      operationId: 'previewDataListImport',
      audit: { notRecorded: 'nothing changes' },
      summary: 'The columns and the first rows of a file, as an import reads them',
      description:
        'For a program that lets a person map the columns. The beginning of a CSV file is enough; a workbook must be whole.',
      access: { permission: 'DataLists.Edit' },
      params: listParams,
      rawBody: tableTypes,
      answers: { 200: filePreview },
      problems: ['import_rejected'],
      async handle(input) {
        const source = tableOf(input.request, noColumns, limits, () => undefined);
        return ok(await inTurn(turns, input.principal.tenantId, () => previewFile(db, refOf(input), source)));
      },
    }),
    ...importRoutes(deps, turns),
  ];
}

const aboutImport = ({ items, value, label, jsonBytes, streamBytes }: TransferLimits): string =>
  `Searches answer from the old items until the new ones are all there. \`value\` is unique in the list. A refused import lists its faults, at most 100. A merge needs the items that the list had when it began: if another import was faster, it is a 409, and nothing is lost.

CSV needs the header \`value,default,<locale>...\`, or \`columns\` that maps its names; a blank cell clears the label. The encoding (UTF-8, UTF-16, Windows-1252) and the separator (comma, semicolon, tab, pipe) are detected; \`file\` names them. Rows and columns without text at the end are ignored. Blanks around a value or a label are part of it, so that \`a\` and \`a \` are two values.

A workbook (\`.xlsx\`) follows the same rules with its first sheet that is not hidden. Numbers, days (\`2026-11-28\`) and times are written as the sheet holds them, leading zeros of a format such as \`00000\` included; a formula has its stored value, and true is \`TRUE\`. Rows without text are skipped. Messages name the cell, such as \`Countries!B7\`.

Limits here: ${items} items, ${localesLimit} locales, ${value} characters of a value, ${label} of a label, ${jsonBytes} bytes of JSON or of a workbook, ${streamBytes} bytes of a stream and of an unpacked workbook.`;
