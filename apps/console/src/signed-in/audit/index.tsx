import { Button, Icon } from '@canvass/console-ui';
import { usePreferences, useTexts } from '../../i18n';
import { FaultNotice, useAction } from '../action';
import { saveFile } from '../download';
import { useListState } from '../list-state';
import { Page } from '../page';
import { usePlainFilters } from '../plain-filters';
import { RecordGrid } from '../record-grid';
import { useRecordFilters } from './record-filter';
import { exportAudit, filterNames, useAudit, type Filters } from './query';
import { useColumns } from './use-columns';
import { useAuditTexts } from './texts';

/** The page of who did what, with what changed. */
export default function AuditPage() {
  const { audit: title } = useTexts();
  const texts = useAuditTexts();
  const { zone } = usePreferences();
  const list = useListState();
  const columns = useColumns();
  const set: Filters = Object.fromEntries(
    filterNames.flatMap((name) => (list.filter(name) === '' ? [] : [[name, list.filter(name)]])),
  );
  const audit = useAudit(set, zone);
  const download = useAction(async () => saveFile('audit.ndjson', await exportAudit(set, zone)));
  const plain = usePlainFilters(list, [
    { name: 'area', title: texts.area, kind: 'one', choices: texts.areas },
    { name: 'action', title: texts.action, kind: 'one', choices: texts.actionNames },
    { name: 'from', title: texts.from, kind: 'day' },
    { name: 'to', title: texts.to, kind: 'day' },
  ]);
  const filters = { ...plain, all: [...useRecordFilters(list), ...plain.all] };
  return (
    <Page title={title} lead={texts.lead}>
      <FaultNotice fault={download.fault} />
      <RecordGrid
        screen="audit"
        isTable
        filters={filters}
        tools={
          <Button onClick={() => void download.run()} disabled={download.isBusy}>
            <Icon name="export" /> {download.isBusy ? texts.exportBusy : texts.exportAll}
          </Button>
        }
        list={audit}
        operation="listAudit"
        label={texts.actions}
        columns={columns}
        hrefOf={() => null}
        nothing={{ title: texts.noActions, hint: texts.noActionsHint }}
      />
    </Page>
  );
}
