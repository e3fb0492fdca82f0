import { Button, Panel } from '@canvass/console-ui';
import { FaultNotice, useAction } from '../action';
import { api } from '../api';
import { fileNameOf, saveFile } from '../download';
import { useJobTexts } from '../job-texts';
import lists from '../list.module.css';

/** The file with the links of an invitation. */
export function InvitationFile({ id }: { id: string }) {
  const texts = useJobTexts();
  const params = { path: { id } };
  const download = useAction(async () => {
    const { data, response } = await api.GET('/api/invitations/{id}/file', {
      params,
      parseAs: 'blob',
    });
    saveFile(fileNameOf(response) ?? `links-${id}.csv`, data as Blob);
  });
  return (
    <Panel title={texts.file}>
      <div className={lists.work}>
        <Button look="primary" disabled={download.isBusy} onClick={() => void download.run()}>
          {texts.download}
        </Button>
        <FaultNotice fault={download.fault} />
      </div>
    </Panel>
  );
}
