import { Notice, Skeleton } from '@canvass/console-ui';
import { Grid, type GridRows } from '@canvass/console-ui/grid';
import type { ComponentProps } from 'react';
import { useLocation } from 'wouter';
import { Fault } from '../api';
import { useFaultText } from '../fault-text';
import { usePreferences, useTexts } from '../i18n';
import { FaultState } from './answer';
import { useFormats } from './formats';
import { useGridTexts } from './grid-texts';
import { keepRun } from './record-run';

type Given = 'data' | 'refresh' | 'open' | 'texts' | 'language';

export interface RecordGridProps<Row> extends Omit<ComponentProps<typeof Grid<Row>>, Given> {
  /** The list of `useKeyRows`. */
  list: {
    query: { data: unknown; error: Error | null; dataUpdatedAt: number };
    rows: GridRows<Row>;
    refresh(): void;
    /** Returns whether the list ends before the time that it was to be shown from. */
  };
  /** Operation id of the list; names the missing permission. */
  operation: string;
}

/** A grid of records of the API, or why they cannot be shown. Rows stay while a request for others fails. */
export function RecordGrid<Row>({ list, operation, ...rest }: RecordGridProps<Row>) {
  const texts = useTexts();
  const { ofFault } = useFaultText();
  const gridTexts = useGridTexts();
  const { language } = usePreferences();
  const { time } = useFormats();
  const [, navigate] = useLocation();
  const { query, rows, refresh } = list;
  const { data, error, dataUpdatedAt } = query;
  if (data === undefined && error === null) return <Skeleton label={texts.loading} rows={12} />;
  if (data === undefined) return <FaultState error={error!} operation={operation} retry={refresh} />;
  const isRefused = error instanceof Fault && !error.isTemporary;
  return (
    <>
      {error !== null && (
        <Notice tone="warn">
          {isRefused ? ofFault(error) : `${texts.downTitle}.`} {texts.asOf(time(dataUpdatedAt))}.
        </Notice>
      )}
      <Grid
        {...rest}
        data={rows}
        refresh={refresh}
        open={(href) => {
          keepRun(rows.rows.map(rest.hrefOf));
          navigate(`~${href}`);
        }}
        texts={gridTexts}
        language={language}
      />
    </>
  );
}
