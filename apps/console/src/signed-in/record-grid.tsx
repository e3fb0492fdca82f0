import { Notice, Skeleton } from '@canvass/console-ui';
import { Grid, type GridProps, type GridRows } from '@canvass/console-ui/grid';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Fault } from '../api';
import { consolePath } from '../base';
import { useFaultText } from '../fault-text';
import { usePreferences, useTexts } from '../i18n';
import { FaultState } from './answer';
import { AddFilter, FilterChips, isFiltered, type Filters } from './filter-picker';
import { useFormats } from './formats';
import { useGridTexts } from './grid-texts';
import { useKeptLayout } from './kept-layouts';
import { Nothing, SearchBox } from './list-parts';
import type { SearchField } from './list-state';
import { keepRun } from './record-run';
import { useSavedViews, type Views } from './views';

type Given = 'bar' | 'isBusy' | 'instead' | 'data' | 'refresh' | 'open' | 'texts' | 'language' | 'empty';
type OfScreen = 'layout' | 'setLayout' | 'keyOf' | 'hrefOf';

/** What one finds records with. */
export interface Finding {
  search?: SearchField;
  filters?: Filters;
  /** Sentences about filters. */
  hints?: ReactNode;
}

export interface RecordGridProps<Row>
  extends Finding, Omit<GridProps<Row>, Given | OfScreen>, Partial<Pick<GridProps<Row>, 'keyOf' | 'hrefOf'>> {
  /**
   * Name of the list. With `scopeId` it names the layout of a person and the saved views. By default it is
   * the path of the pages of the rows, too.
   */
  screen: string;
  /** Id of the record whose rows are shown; absent for a list of the tenant. */
  scopeId?: string;
  /** Returns whether a person can save views of it. */
  hasViews?: boolean;
  /** The list of `useKeyRows`. */
  list: {
    query: { data: unknown; error: Error | null; dataUpdatedAt: number; isFetching: boolean };
    rows: GridRows<Row>;
    refresh(): void;
  };
  /** Operation id of the list; names the missing permission. */
  operation: string;
  /** Buttons for all that the filters show. */
  tools?: ReactNode;
  /** Shown if there is no record at all: a title, and the sentence that says what makes the first one. */
  nothing: { title: string; hint: string };
}

/** A list of records of the API, or why they cannot be shown. Rows stay while a request for others fails. */
export function RecordGrid<Row>(props: RecordGridProps<Row>) {
  const { screen, scopeId = null, hasViews = false, ...others } = props;
  const { keyOf = idOf, hrefOf = (row) => `${consolePath}/${screen}/${keyOf(row)}`, ...own } = others;
  const { list, operation, search, filters, hints, tools, nothing, ...rest } = own;
  const texts = useTexts();
  const { ofFault } = useFaultText();
  const gridTexts = useGridTexts();
  const { language } = usePreferences();
  const { time } = useFormats();
  const [, navigate] = useLocation();
  const [layout, setLayout] = useKeptLayout(scopeId === null ? screen : `${screen}-${scopeId}`);
  const views = useSavedViews({ screen, scopeId, layout, setLayout, isOffered: hasViews });
  const { query, rows, refresh } = list;
  const { data, error, dataUpdatedAt } = query;
  const isRefused = error instanceof Fault && !error.isTemporary;
  const instead =
    data !== undefined ? null : error === null ? (
      <Skeleton label={texts.loading} rows={12} />
    ) : (
      <FaultState error={error} operation={operation} retry={refresh} />
    );
  return (
    <>
      {instead === null && error !== null && (
        <Notice tone="warn">
          {isRefused ? ofFault(error) : `${texts.downTitle}.`} {texts.asOf(time(dataUpdatedAt))}.
        </Notice>
      )}
      <Grid
        {...rest}
        layout={layout}
        setLayout={setLayout}
        keyOf={keyOf}
        hrefOf={hrefOf}
        bar={{ ...findingBar({ search, filters, hints }, views), end: tools }}
        isBusy={query.isFetching}
        instead={instead}
        data={rows}
        refresh={refresh}
        open={(href) => {
          keepRun(rows.rows.map(hrefOf));
          navigate(`~${href}`);
        }}
        empty={
          <Nothing
            isFiltered={(search?.value ?? '') !== '' || (filters !== undefined && isFiltered(filters))}
            clear={filters?.clear ?? (() => search?.setValue(''))}
            {...nothing}
          />
        }
        texts={gridTexts}
        language={language}
      />
    </>
  );
}

const idOf = (row: unknown): string => (row as { id: string }).id;

/** The parts of the bar of a list with which one finds records. */
export function findingBar({ search, filters, hints }: Finding, views?: Views) {
  const chips = filters !== undefined && isFiltered(filters) && <FilterChips filters={filters} />;
  return {
    search: search && <SearchBox {...search} />,
    start: (
      <>
        {filters && <AddFilter filters={filters} />}
        {views?.menu}
      </>
    ),
    below: (chips || views?.state || hints) && (
      <>
        {chips}
        {views?.state}
        {hints}
      </>
    ),
  };
}
