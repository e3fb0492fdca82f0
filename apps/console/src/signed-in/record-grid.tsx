import { Notice, Skeleton } from '@canvass/console-ui';
import { Grid, type GridProps, type GridRows } from '@canvass/console-ui/grid';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Fault } from '../api';
import { useFaultText } from '../fault-text';
import { usePreferences, useTexts } from '../i18n';
import { FaultState } from './answer';
import { AddFilter, FilterChips, isFiltered, type Filters } from './filter-picker';
import { useFormats } from './formats';
import { useGridTexts } from './grid-texts';
import { Nothing, SearchBox } from './list-parts';
import type { SearchField } from './list-state';
import { keepRun } from './record-run';
import type { Views } from './views';

type Given = 'bar' | 'isBusy' | 'instead' | 'data' | 'refresh' | 'open' | 'texts' | 'language' | 'empty';

/** What one finds records with. */
export interface Finding {
  search?: SearchField;
  filters?: Filters;
  views?: Views;
  /** Sentences about filters. */
  hints?: ReactNode;
}

export interface RecordGridProps<Row> extends Finding, Omit<GridProps<Row>, Given> {
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
  const { list, operation, search, filters, views, hints, tools, nothing, ...rest } = props;
  const texts = useTexts();
  const { ofFault } = useFaultText();
  const gridTexts = useGridTexts();
  const { language } = usePreferences();
  const { time } = useFormats();
  const [, navigate] = useLocation();
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
        bar={{ ...findingBar({ search, filters, views, hints }), end: tools }}
        isBusy={query.isFetching}
        instead={instead}
        data={rows}
        refresh={refresh}
        open={(href) => {
          keepRun(rows.rows.map(rest.hrefOf));
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

/** The parts of the bar of a list with which one finds records. */
export function findingBar({ search, filters, views, hints }: Finding) {
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
