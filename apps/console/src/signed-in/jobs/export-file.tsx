import { Panel, State } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Answer } from '../answer';
import { api, get } from '../api';
import { Facts } from '../facts';
import { useFormats } from '../formats';
import { useJobTexts } from '../job-texts';
import { Moment } from '../moment';
import { FileDownload } from './file-download';

/** The file that an export writes, with a download when it is complete. */
export function ExportFile({ id, state }: { id: string; state: string }) {
  const texts = useJobTexts();
  const { number } = useFormats();
  const params = { path: { id } };
  const file = useQuery({
    // What is known of the file changes with the state of its job.
    queryKey: ['export', id, state],
    queryFn: ({ signal }) => get('/api/exports/{id}', params, signal),
  });
  return (
    <Panel title={texts.file}>
      <Answer query={file} operation="getSubmissionExport">
        {({ format, bytes, expiresAt }) =>
          bytes === null ? (
            <State title={texts.file}>{state === 'running' ? texts.fileLater : texts.noFile}</State>
          ) : (
            <>
              <Facts
                facts={[
                  [texts.format, format.toUpperCase()],
                  [texts.size, texts.kilobytes(number(bytes / 1000, 1))],
                  [texts.expires, <Moment at={expiresAt} isExact />],
                ]}
              />
              <FileDownload
                read={() => api.GET('/api/exports/{id}/file', { params, parseAs: 'blob' })}
                name={`export-${id}.${format}`}
              />
            </>
          )
        }
      </Answer>
    </Panel>
  );
}
