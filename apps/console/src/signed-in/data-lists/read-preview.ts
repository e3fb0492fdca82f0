import { api, dataOf } from '../api';
import { contentTypes, formatOf, headBytes, previewOf, type Preview } from './file-preview';

/** The beginning of a file. The server reads that of a table, as an import reads it. */
export async function readPreview(listId: string, file: File): Promise<Preview> {
  const format = await formatOf(file);
  if (format !== 'csv' && format !== 'xlsx') return previewOf(file);
  const body: Blob = format === 'csv' ? file.slice(0, headBytes) : file;
  const { columns, rows } = await dataOf(
    api.POST('/api/data-lists/{id}/import-preview', {
      params: { path: { id: listId } },
      // The type of the document for bytes is text.
      body: body as unknown as string,
      bodySerializer: () => body,
      headers: { 'content-type': contentTypes[format] },
    }),
  );
  return { format, isUtf8: true, columns: columns.map(({ name }) => name), found: columns, rows };
}
