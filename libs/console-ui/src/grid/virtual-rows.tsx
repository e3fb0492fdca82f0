import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { tsvOf } from './clipboard';
import { moved, permittedWidth, rowHeights, type PlacedColumn } from './columns';
import { columnWindow, rowWindow, scrollTo, sum } from './geometry';
import styles from './grid.module.css';
import { GridHeader, nextSort } from './grid-header';
import { GridRow, selectKey } from './grid-row';
import { cellAfter, type Cell } from './navigation';
import { extended, isSelected, nothingSelected, toggled } from './selection';
import type { GridProps } from './types';
import { useView } from './use-view';

const headHeight = 36;
/** Rows before and after those in sight that are loaded, too: who scrolls to them finds them there. */
const early = 100;
const widthStep = 16;

export interface VirtualRowsProps<Row> extends GridProps<Row> {
  /** Columns that are shown. */
  shown: readonly PlacedColumn<Row>[];
  announce(text: string): void;
  showKeys(): void;
  /** Set to the key of the row that the focus is in or gets; null if it is not in memory. */
  focused: RefObject<string | null>;
}

/** The rows of a list of any length, of which those in sight are in the page. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  const { label, columns, layout, setLayout, data, keyOf, hrefOf, open, sort, setSort, texts } = props;
  const { selection = nothingSelected, setSelection, shown, announce, showKeys, empty } = props;
  const { beside, focused } = props;
  const height = rowHeights[layout.density];
  const [scroller, view] = useView(headHeight);
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  const anchor = useRef(0);
  const wantsFocus = useRef(false);

  const all = useMemo(
    () => (setSelection === undefined ? shown : [selectColumn<Row>(texts.select), ...shown]),
    [shown, setSelection === undefined, texts.select],
  );
  const pinned = all.filter(({ isPinned }) => isPinned);
  const pinnedWidth = sum(pinned.map(({ width }) => width));
  const others = all.slice(pinned.length);
  const { from: fromColumn, to: toColumn } = columnWindow(
    others.map(({ width }) => width),
    pinnedWidth,
    { scrolled: view.left, visible: view.width },
  );
  const inSight = useMemo(() => ({ from: fromColumn, to: toColumn }), [fromColumn, toColumn]);
  const vertical = { scrolled: view.top, visible: view.height };
  const rows = rowWindow(data.count, height, vertical);
  const cell = {
    row: Math.max(-1, Math.min(data.count - 1, active.row)),
    column: Math.min(all.length - 1, active.column),
  };
  const rowAt = (position: number): Row | undefined => data.rows[position - data.start];

  const { start, load } = data;
  const end = start + data.rows.length;
  const { from, to } = rows;
  const [first, last] = [Math.max(0, from - early), Math.min(data.count, to + early)];
  useEffect(() => {
    if (to > from && (first < start || last > end)) load(first, last);
  }, [from, to, first, last, start, end, load]);

  // The row with the focus may end: there were fewer than expected. The focus then moves to the last one.
  if (cell.row !== active.row && scroller.current?.contains(document.activeElement) === true) {
    wantsFocus.current = true;
  }
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    scroller.current?.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true });
  }, [active, cell.row, scroller]);

  // Another filter or order begins at its first row.
  const firstKey = start === 0 && data.rows[0] !== undefined ? keyOf(data.rows[0]) : null;
  const lastFirstKey = useRef(firstKey);
  useEffect(() => {
    if (firstKey === null) return;
    if (lastFirstKey.current !== null && lastFirstKey.current !== firstKey)
      scroller.current?.scrollTo({ top: 0 });
    lastFirstKey.current = firstKey;
  }, [firstKey, scroller]);

  /** Scrolls from a place as far as a row needs to be visible. */
  const scrollToRow = (position: number, scrolled: number) => {
    const place = scrollTo(position, data.count, height, { ...vertical, scrolled });
    scroller.current!.scrollTop = place;
  };

  const activeRow = rowAt(cell.row);
  useEffect(() => {
    focused.current = activeRow === undefined ? null : keyOf(activeRow);
  }, [activeRow]);

  // The row beside the grid is the active one, however it was chosen.
  const besideKey = beside?.key ?? null;
  const besideIndex = besideKey === null ? -1 : data.rows.findIndex((row) => keyOf(row) === besideKey);
  const besideRow = besideIndex < 0 ? null : start + besideIndex;
  useEffect(() => {
    if (besideRow === null) return;
    const hasFocus = scroller.current!.contains(document.activeElement);
    wantsFocus.current = hasFocus;
    setActive(({ column }) => ({ row: besideRow, column }));
    scrollToRow(besideRow, vertical.scrolled);
  }, [besideKey, besideRow]);
  const showBeside = (position: number) => {
    const row = rowAt(position);
    if (row !== undefined) beside?.show(keyOf(row));
  };

  const goTo = (target: Cell) => {
    wantsFocus.current = true;
    setActive(target);
    if (besideKey !== null) showBeside(target.row);
    const element = scroller.current!;
    if (target.row >= 0) scrollToRow(target.row, vertical.scrolled);
    const before = sum(others.slice(0, target.column - pinned.length).map(({ width }) => width));
    const width = others[target.column - pinned.length]?.width;
    if (width === undefined) return;
    const visible = view.width - pinnedWidth;
    element.scrollLeft = Math.min(before, Math.max(view.left, before + width - visible));
  };
  const setWidth = (key: string, width: number) =>
    setLayout({ widths: { ...layout.widths, [key]: permittedWidth(width) } });
  const sortBy = ({ key, isSortable }: PlacedColumn<Row>) => {
    if (isSortable === true) setSort?.(nextSort(sort, key));
  };
  const selectTo = (position: number) => {
    const lowest = Math.min(anchor.current, position);
    const highest = Math.max(anchor.current, position);
    const range = data.rows.slice(Math.max(0, lowest - start), highest - start + 1);
    setSelection?.(extended(selection, range.map(keyOf)));
  };
  const openPage = (row: Row) => {
    const href = hrefOf(row);
    if (href !== null) open(href);
  };
  const toggle = (position: number) => {
    const row = rowAt(position);
    anchor.current = position;
    if (row !== undefined) setSelection?.(toggled(selection, keyOf(row)));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const isCtrl = event.ctrlKey || event.metaKey;
    const column = all[cell.column];
    const row = rowAt(cell.row);
    const target = cellAfter(
      cell,
      { key: event.key, isCtrl },
      { rows: data.count, columns: all.length, page: Math.max(1, Math.floor(view.height / height) - 1) },
    );
    const isWider = event.key === 'ArrowRight';
    if (target !== null) {
      if (!event.shiftKey) anchor.current = target.row;
      else if (target.row >= 0) selectTo(target.row);
      goTo(target);
    } else if (isCtrl && event.key.startsWith('Arrow') && column !== undefined) {
      if (column.key !== selectKey) setWidth(column.key, column.width + (isWider ? widthStep : -widthStep));
    } else if (event.key === 'Enter' && column !== undefined) {
      if (cell.row < 0) sortBy(column);
      else if (event.shiftKey && beside !== undefined) showBeside(cell.row);
      else if (row !== undefined) openPage(row);
    } else if (event.key === ' ' && cell.row >= 0 && setSelection !== undefined) toggle(cell.row);
    else if (isCtrl && event.key === 'a' && setSelection !== undefined) setSelection({ isAll: true });
    else if (event.key === 'Escape' && selection !== nothingSelected) setSelection?.(nothingSelected);
    else if (event.key === '?') showKeys();
    else return;
    event.preventDefault();
  };

  /** The cell of an event of the mouse. */
  const cellOf = (event: MouseEvent): Cell | null => {
    const { row, column } = (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset ?? {};
    return row === undefined ? null : { row: Number(row), column: Number(column) };
  };
  const onClick = (event: MouseEvent) => {
    const clicked = cellOf(event);
    if (clicked === null) return;
    setActive(clicked);
    // A link of the row was followed: another page opens.
    if (besideKey !== null && !event.defaultPrevented) showBeside(clicked.row);
    const column = all[clicked.column];
    if (clicked.row < 0) {
      if (column !== undefined) sortBy(column);
    } else if (event.shiftKey && setSelection !== undefined) selectTo(clicked.row);
    else if (column?.key === selectKey) toggle(clicked.row);
    else anchor.current = clicked.row;
  };
  const onDoubleClick = (event: MouseEvent) => {
    const row = rowAt(cellOf(event)?.row ?? -1);
    if (row !== undefined && all[cellOf(event)!.column]?.key !== selectKey) openPage(row);
  };

  /** The clipboard gets the selected rows with the columns that are shown, else the cell. */
  const onCopy = (event: ClipboardEvent) => {
    if (getSelection()?.isCollapsed === false) return;
    const selected = data.rows.filter((row) => isSelected(selection, keyOf(row)));
    const row = rowAt(cell.row);
    const column = all[cell.column];
    const cells =
      selected.length > 0
        ? [
            shown.map(({ title }) => title),
            ...selected.map((own) => shown.map(({ text }) => text?.(own) ?? '')),
          ]
        : row !== undefined && column !== undefined
          ? [[column.text?.(row) ?? '']]
          : [];
    if (cells.length === 0) return;
    event.clipboardData.setData('text/plain', tsvOf(cells));
    event.preventDefault();
    announce(texts.copied(sum(cells.map(({ length }) => length))));
  };

  /** Pixels of the widest content of a column in sight, with its padding. */
  const widthOf = (index: number): number => {
    const cells = scroller.current!.querySelectorAll(`[data-column="${index}"]`);
    const range = document.createRange();
    return Math.max(
      ...[...cells].map((own) => {
        range.selectNodeContents(own);
        return Math.ceil(range.getBoundingClientRect().width) + 26;
      }),
    );
  };

  const positions = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  // The row with the focus stays in the page, wherever one scrolls.
  if (cell.row >= 0 && cell.row < from) positions.unshift(cell.row);
  if (cell.row >= to && cell.row < data.count) positions.push(cell.row);
  const width = sum(all.map((column) => column.width));
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        className={styles.scroller}
        aria-label={label}
        aria-rowcount={data.total !== null && data.totalIsExact ? data.total + 1 : -1}
        aria-colcount={all.length}
        aria-multiselectable={setSelection !== undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onCopy={onCopy}
      >
        <div className={styles.sheet} role="presentation" style={{ inlineSize: width }}>
          <GridHeader
            columns={all}
            window={inSight}
            activeColumn={cell.row < 0 ? cell.column : null}
            sort={sort}
            setSort={setSort}
            setWidth={setWidth}
            move={(key, target) => setLayout(moved(columns, layout, key, target))}
            widthOf={widthOf}
          />
          <div role="rowgroup" className={styles.body} style={{ blockSize: rows.range }}>
            {positions.map((position) => {
              const row = rowAt(position);
              return (
                <GridRow
                  key={position}
                  row={row}
                  position={position}
                  top={rows.topOf(position)}
                  height={height}
                  columns={all}
                  window={inSight}
                  activeColumn={position === cell.row ? cell.column : null}
                  isSelected={row !== undefined && isSelected(selection, keyOf(row))}
                  isBeside={position === besideRow}
                  isSelectable={setSelection !== undefined}
                  selectText={texts.select}
                  hrefOf={hrefOf}
                  open={open}
                />
              );
            })}
          </div>
        </div>
      </div>
      {data.count === 0 && empty}
    </>
  );
}

const selectColumn = <Row,>(title: string): PlacedColumn<Row> => ({
  key: selectKey,
  title,
  width: 40,
  isPinned: true,
  isHidden: false,
  cell: () => null,
});
