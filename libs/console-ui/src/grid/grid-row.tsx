import { memo, type CSSProperties } from 'react';
import type { PlacedColumn } from './columns';
import { sum, type ColumnWindow } from './geometry';
import { RecordLink } from './record-link';
import styles from './grid.module.css';

/** Key of the column with the marks of selected rows. */
export const selectKey = '*select';

export interface GridRowProps<Row> {
  /** Undefined while it is loaded. */
  row: Row | undefined;
  position: number;
  top: number;
  height: number;
  /** Pinned ones first. */
  columns: readonly PlacedColumn<Row>[];
  window: ColumnWindow;
  /** Index of the cell that has the focus or gets it; null if it is in another row. */
  activeColumn: number | null;
  isSelected: boolean;
  /** Returns whether it is shown beside the grid. */
  isBeside: boolean;
  /** Returns whether rows can be selected. */
  isSelectable: boolean;
  selectText: string;
  hrefOf(row: Row): string | null;
  open(href: string): void;
}

function Row<Row>(props: GridRowProps<Row>) {
  const { row, position, top, height, columns, window, activeColumn } = props;
  const { isSelected, isSelectable, isBeside } = props;
  const style = { transform: `translateY(${top}px)`, blockSize: height };
  return (
    <div
      role="row"
      className={styles.row}
      style={style}
      aria-rowindex={position + 2}
      aria-selected={isSelectable ? isSelected : undefined}
      aria-current={isBeside || undefined}
      data-selected={isSelected || undefined}
    >
      {cellsOf(columns, window, activeColumn).map(({ column, index, place }) => (
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={index + 1}
          className={`${styles.cell} ${column.isNumber === true ? styles.number : ''} ${column.isPinned ? styles.pinned : ''}`}
          style={place}
          tabIndex={index === activeColumn ? 0 : -1}
          data-row={position}
          data-column={index}
          data-active={index === activeColumn || undefined}
        >
          {row === undefined ? (
            <span className={styles.bone} />
          ) : (
            <Content {...props} row={row} column={column} />
          )}
        </div>
      ))}
    </div>
  );
}

/** A row of the grid. It is rendered again only if something of it changed. */
export const GridRow = memo(Row) as typeof Row;

type ContentProps<Row> = GridRowProps<Row> & { row: Row; column: PlacedColumn<Row> };

function Content<Row>({ row, column, isSelected, selectText, hrefOf, open }: ContentProps<Row>) {
  if (column.key === selectKey) {
    return (
      <span className={styles.box} data-on={isSelected || undefined} aria-label={selectText} role="img" />
    );
  }
  // The keys of the grid open it, so that the grid has one place in the order of Tab.
  return (
    <RecordLink href={column.isLink === true ? hrefOf(row) : null} open={open} tabIndex={-1}>
      {column.cell(row)}
    </RecordLink>
  );
}

/**
 * The cells of a row that are rendered: the pinned ones, those in sight, and the active one, which would lose
 * the focus otherwise.
 */
export function cellsOf<Row>(
  columns: readonly PlacedColumn<Row>[],
  window: ColumnWindow,
  activeColumn: number | null,
): { column: PlacedColumn<Row>; index: number; place: CSSProperties }[] {
  const pinned = columns.filter(({ isPinned }) => isPinned);
  const others = columns.slice(pinned.length);
  const active = activeColumn === null ? window.from : activeColumn - pinned.length;
  const from = active >= 0 ? Math.min(window.from, active) : window.from;
  const to = active >= 0 ? Math.max(window.to, active + 1) : window.to;
  const before = sum(others.slice(0, from).map(({ width }) => width));
  return [
    ...pinned.map((column, index) => ({
      column,
      index,
      place: {
        inlineSize: column.width,
        insetInlineStart: sum(pinned.slice(0, index).map(({ width }) => width)),
      },
    })),
    ...others.slice(from, to).map((column, offset) => ({
      column,
      index: pinned.length + from + offset,
      place: { inlineSize: column.width, marginInlineStart: offset === 0 ? before : 0 },
    })),
  ];
}
