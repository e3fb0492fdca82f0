import type { components } from '@canvass/client';
import { Button, ForeignText, Panel } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePreferences } from '../../i18n';
import { Answer } from '../answer';
import { get } from '../api';
import { column } from '../columns';
import { useListState } from '../list-state';
import type { NumberedPage } from '../longest-run';
import { usePageRows } from '../page-rows';
import { usePlainFilters } from '../plain-filters';
import { RecordGrid } from '../record-grid';
import lists from '../list.module.css';
import styles from './data-lists.module.css';
import { ExportList } from './export-list';
import { localeName, namedLocales } from './known-languages';
import { Label, labelColumns, ListFrame, type DataList } from './list-frame';
import { useListTexts } from '../data-list-texts';

type Item = components['schemas']['FoundItem'];

/** Languages that one search may have. */
const maxSearched = 8;

/** The items of a list with the labels of all its languages, and how complete these are. */
export default function ItemsPage() {
  return (
    <ListFrame>
      {(data) => (
        <div className={lists.side}>
          <Items key={data.id} list={data} />
          {data.availableLocales.length > 0 && data.itemsCount > 0 && <Coverage list={data} />}
        </div>
      )}
    </ListFrame>
  );
}

/** The languages with the share of items that have a label. A gap leads to its items. */
function Coverage({ list }: { list: DataList }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const state = useListState();
  const missing = state.filter('missing');
  const coverage = useQuery({
    queryKey: ['coverage', list.id, list.revision],
    queryFn: ({ signal }) => get('/api/data-lists/{id}/coverage', { path: { id: list.id } }, signal),
  });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const names = namedLocales(list.availableLocales, language);
  const skeleton = (
    <ul className={styles.coverage}>
      {names.map(([locale, name]) => (
        <li key={locale}>{name}</li>
      ))}
    </ul>
  );
  return (
    <Panel title={texts.coverage} busy={coverage.isFetching}>
      <Answer query={coverage} operation="getDataListCoverage" skeleton={skeleton}>
        {({ itemsCount, locales }) => (
          <ul className={styles.coverage}>
            {names.map(([locale, name]) => {
              const { labelled = 0, missing: gaps = 0 } = locales.find((own) => own.locale === locale) ?? {};
              // A share below 1 is never shown as 100 %.
              const share = Math.floor((labelled / Math.max(1, itemsCount)) * 1000) / 1000;
              return (
                <li key={locale}>
                  <span>{name}</span>
                  <meter
                    min={0}
                    max={1}
                    value={share}
                    aria-label={texts.coverageOf(name, percent.format(share))}
                  />
                  <span>{percent.format(share)}</span>
                  {gaps === 0 ? (
                    <span className={lists.soft}>{texts.complete}</span>
                  ) : (
                    <Button
                      look="quiet"
                      className={styles.chip}
                      aria-pressed={missing === locale}
                      aria-label={`${texts.missingLabels(gaps.toLocaleString(language))}. ${texts.onlyMissing(name)}`}
                      onClick={() =>
                        state.setFilters({ missing: missing === locale ? '' : locale, query: '' })
                      }
                    >
                      {texts.missingLabels(gaps.toLocaleString(language))}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </Answer>
    </Panel>
  );
}

function Items({ list }: { list: DataList }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const state = useListState();
  const search = state.filter('query');
  const missing = state.filter('missing');
  // A search has few languages; the columns are those of the answer.
  const included = list.availableLocales.slice(0, search === '' ? undefined : maxSearched);
  const columns = useColumns(list, included);
  const query = {
    includeLocales: included,
    ...(search && { query: search }),
    ...(missing && { missing }),
  };
  const items = usePageRows<Item>({
    // Another revision may have other items.
    queryKey: ['items', list.id, list.revision, query],
    read: (page, signal) =>
      get(
        '/api/data-lists/{id}/items',
        { path: { id: list.id }, query: { ...query, ...page } },
        signal,
      ) as Promise<NumberedPage<Item>>,
  });
  // The API does not search among the items without a label.
  const alone = (values: Record<string, string>) => state.setFilters({ query: '', missing: '', ...values });
  const filters = usePlainFilters({ ...state, setFilters: alone }, [
    {
      name: 'missing',
      title: texts.missingIn,
      kind: 'one',
      choices: Object.fromEntries(namedLocales(list.availableLocales, language)),
    },
  ]);
  return (
    <RecordGrid
      screen="items"
      scopeId={list.id}
      search={{
        label: texts.filterItems,
        placeholder: texts.filterItems,
        value: search,
        setValue: (value) => alone({ query: value }),
      }}
      filters={filters}
      tools={<ExportList listId={list.id} />}
      list={items}
      operation="listDataListItems"
      label={texts.listItems}
      columns={columns}
      keyOf={({ value }) => value}
      hrefOf={() => null}
      nothing={{ title: texts.noItems, hint: texts.noItemsHint }}
    />
  );
}

/** The value, and a label for each language. */
function useColumns(list: DataList, included: readonly string[]): GridColumn<Item>[] {
  const texts = useListTexts();
  const { language } = usePreferences();
  const shown = included.join(' ');
  return useMemo(() => {
    const labels = labelColumns(list).filter(
      ({ key }) => key === 'default' || shown.split(' ').includes(key),
    );
    return [
      column(
        'value',
        texts.listValue,
        ({ value }) => (
          <code>
            <ForeignText isCut>{value}</ForeignText>
          </code>
        ),
        { width: 160, isPinned: true, text: ({ value }) => value },
      ),
      ...labels.map(({ key, locale }): GridColumn<Item> =>
        column(
          `label ${key}`,
          localeName(locale, language),
          ({ labels: { [key]: label } }) =>
            label === undefined ? (
              <span className={styles.gap}>{texts.gap}</span>
            ) : (
              <Label locale={locale}>{label}</Label>
            ),
          { width: 220, text: ({ labels: { [key]: label = '' } }) => label },
        ),
      ),
    ];
  }, [list, shown, texts, language]);
}
