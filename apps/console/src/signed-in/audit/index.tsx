import { Button, Panel } from '@canvass/console-ui';
import { useSearchParams } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { FaultNotice, useAction } from '../action';
import { Answer } from '../answer';
import { saveFile } from '../download';
import { Nothing, Pager } from '../list-parts';
import { useListState } from '../list-state';
import { Page } from '../page';
import { FilterForm } from './filter-form';
import { exportAudit, filterNames, useAudit, type Filters } from './query';
import { Records } from './records';
import { useAuditTexts } from './texts';

/** The page of who did what, with what changed. */
export default function AuditPage() {
  const { audit: title } = useTexts();
  const texts = useAuditTexts();
  const { zone } = usePreferences();
  const [search, setSearch] = useSearchParams();
  const filters: Filters = Object.fromEntries(
    filterNames.flatMap((name) => (search.get(name) ? [[name, search.get(name)!]] : [])),
  );
  const { place, goTo } = useListState();
  const audit = useAudit(filters, zone, place);
  const download = useAction(async () => saveFile('audit.ndjson', await exportAudit(filters, zone)));
  const setFilters = (next: Filters) => setSearch(new URLSearchParams(Object.entries(next)));
  return (
    <Page
      title={title}
      lead={texts.lead}
      tools={
        <Button onClick={() => void download.run()} disabled={download.isBusy}>
          {download.isBusy ? texts.exportBusy : texts.exportAll}
        </Button>
      }
    >
      <FaultNotice fault={download.fault} />
      <Panel title={texts.actions} busy={audit.isFetching}>
        <FilterForm filters={filters} setFilters={setFilters} />
        <Answer query={audit} operation="listAudit">
          {(page) =>
            page.items.length === 0 ? (
              <Nothing
                isFiltered={Object.keys(filters).length > 0}
                clear={() => setFilters({})}
                title={texts.noActions}
                hint={texts.noActionsHint}
              />
            ) : (
              <>
                <Records records={page.items} />
                <Pager page={page} goTo={goTo} />
              </>
            )
          }
        </Answer>
      </Panel>
    </Page>
  );
}
