import { useEffect, useState } from 'react';
import { Button } from '../controls';
import { Table, type Column } from '../panel';
import type { PlacedColumn } from './columns';
import styles from './grid.module.css';
import { RecordLink } from './record-link';
import { isSelected, nothingSelected, toggled } from './selection';
import type { GridProps } from './types';

const pageRows = 100;

export interface PlainPagesProps<Row> extends GridProps<Row> {
  /** Columns that are shown. */
  shown: readonly PlacedColumn<Row>[];
}

/**
 * The rows as pages of a plain table: for screen readers that misread long grids, for the search of the
 * browser, and for narrow screens, where each row is a card.
 */
export function PlainPages<Row>(props: PlainPagesProps<Row>) {
  const { label, data, keyOf, hrefOf, open, shown, texts, language, empty } = props;
  const { selection = nothingSelected, setSelection } = props;
  const [page, setPage] = useState(0);
  const from = Math.min(page, Math.max(0, Math.ceil(data.count / pageRows) - 1)) * pageRows;
  const to = Math.min(data.count, from + pageRows);
  const { start, load } = data;
  const end = start + data.rows.length;
  useEffect(() => {
    if (to > from && (from < start || to > end)) load(from, to);
  }, [from, to, start, end, load]);

  const marks: Column<Row>[] =
    setSelection === undefined
      ? []
      : [
          {
            key: '*select',
            title: texts.select,
            cell: (row) => (
              <input
                type="checkbox"
                aria-label={texts.select}
                checked={isSelected(selection, keyOf(row))}
                onChange={() => setSelection(toggled(selection, keyOf(row)))}
              />
            ),
          },
        ];
  const columns: Column<Row>[] = [
    ...marks,
    ...shown.map(({ key, title, isNumber, isLink, cell }) => ({
      key,
      title,
      isNumber,
      cell: (row: Row) => (
        <RecordLink href={isLink === true ? hrefOf(row) : null} open={open}>
          {cell(row)}
        </RecordLink>
      ),
    })),
  ];
  const number = (position: number) => position.toLocaleString(language);
  if (data.count === 0) return empty;
  return (
    <>
      <Table
        label={label}
        columns={columns}
        rows={data.rows.slice(Math.max(0, from - start), Math.max(0, to - start))}
        keyOf={keyOf}
      />
      {data.count > pageRows && (
        <div className={styles.pager}>
          <span>{texts.rowsFromTo(number(from + 1), number(to))}</span>
          <span className={styles.tools}>
            <Button disabled={from === 0} onClick={() => setPage(from / pageRows - 1)}>
              {texts.earlierRows}
            </Button>
            <Button disabled={to >= data.count} onClick={() => setPage(from / pageRows + 1)}>
              {texts.laterRows}
            </Button>
          </span>
        </div>
      )}
    </>
  );
}
