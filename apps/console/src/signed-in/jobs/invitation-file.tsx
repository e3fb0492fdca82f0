import { Panel } from '@canvass/console-ui';
import { api } from '../api';
import { useJobTexts } from '../job-texts';
import { FileDownload } from './file-download';

/** The file with the links of an invitation. */
export function InvitationFile({ id }: { id: string }) {
  const texts = useJobTexts();
  const params = { path: { id } };
  return (
    <Panel title={texts.file}>
      <FileDownload
        read={() => api.GET('/api/invitations/{id}/file', { params, parseAs: 'blob' })}
        name={`links-${id}.csv`}
      />
    </Panel>
  );
}
