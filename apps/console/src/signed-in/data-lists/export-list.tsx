import { api } from '../api';
import { useListTexts } from '../data-list-texts';
import { ExportMenu, type ExportFile } from '../export-menu';
import { useExport } from '../use-export';

/** Exports all items of a list with the labels of all its languages, in a file that can be imported. */
export function ExportList({ listId }: { listId: string }) {
  const texts = useListTexts();
  const transfer = useExport();
  const start = (file: ExportFile) =>
    void transfer.run(
      (signal) =>
        api.POST('/api/data-lists/{id}/export', {
          params: { path: { id: listId } },
          body: file,
          parseAs: 'stream',
          signal,
        }),
      `${listId}.${file.format}`,
    );
  return <ExportMenu transfer={transfer} title={texts.exportItems} start={start} />;
}
