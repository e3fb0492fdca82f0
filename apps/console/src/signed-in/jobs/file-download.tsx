import { Button } from '@canvass/console-ui';
import { FaultNotice, useAction } from '../action';
import { fileNameOf, saveFile } from '../download';
import { useJobTexts } from '../job-texts';
import lists from '../list.module.css';

interface FileDownloadProps {
  read(): Promise<{ data?: unknown; response: Response }>;
  /** Name of the file, if the answer does not name it. */
  name: string;
}

/** The button that downloads the file of a job. */
export function FileDownload({ read, name }: FileDownloadProps) {
  const texts = useJobTexts();
  const download = useAction(async () => {
    const { data, response } = await read();
    saveFile(fileNameOf(response) ?? name, data as Blob);
  });
  return (
    <div className={lists.work}>
      <Button look="primary" disabled={download.isBusy} onClick={() => void download.run()}>
        {texts.download}
      </Button>
      <FaultNotice fault={download.fault} />
    </div>
  );
}
