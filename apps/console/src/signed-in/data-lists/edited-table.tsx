import { boxClass, Button, Table, type Column } from '@canvass/console-ui';
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import { column, numberColumn } from '../columns';
import { useListTexts } from '../data-list-texts';
import lists from '../list.module.css';
import styles from './data-lists.module.css';
import {
  emptyRow,
  isTable,
  withCell,
  withMoved,
  withPasted,
  type EditedRow,
  type Place,
  type RowFault,
} from './edited-rows';
import { ofLocale } from './list-frame';

/** A column of labels. */
interface LabelColumn {
  title: string;
  locale: string;
}

interface EditedTableProps {
  columns: readonly LabelColumn[];
  rows: readonly EditedRow[];
  faults: readonly RowFault[];
  setRows(rows: EditedRow[]): void;
}

type NumberedRow = EditedRow & { row: number };

/** The place of an input. */
const placeOf = (target: EventTarget): Place => {
  const { row, column } = (target as HTMLElement).dataset;
  return { row: Number(row), column: Number(column) };
};

/**
 * A table of inputs. Up, Down and Enter go to other rows, with Alt they move the row; cells of a spreadsheet
 * are pasted from the focused one on.
 */
export function EditedTable({ columns, rows, faults, setRows }: EditedTableProps) {
  const texts = useListTexts();
  const table = useRef<HTMLDivElement>(null);
  const wanted = useRef<Place | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const { row, column } = wanted.current;
    wanted.current = null;
    table.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)?.focus();
  }, [rows]);
  const width = columns.length + 1;
  const titles = [texts.listValue, ...columns.map(({ title }) => title)];
  /** Shows other rows, with the focus in a cell of them. */
  const change = (next: EditedRow[], focus: Place) => {
    wanted.current = focus;
    setRows(next);
  };
  const keyDown = (event: KeyboardEvent) => {
    const by = ({ ArrowUp: -1, ArrowDown: 1, Enter: 1 } as const)[event.key];
    if (by === undefined || !(event.target instanceof HTMLInputElement) || event.nativeEvent.isComposing)
      return;
    event.preventDefault();
    const { row, column } = placeOf(event.target);
    const to = { row: row + by, column };
    if (event.altKey) return change(withMoved(rows, row, by), rows[to.row] ? to : { row, column });
    const isNew = event.key === 'Enter' && rows[to.row] === undefined;
    change(isNew ? [...rows, emptyRow(width)] : [...rows], to);
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (!isTable(text)) return;
    event.preventDefault();
    const place = placeOf(event.target);
    change(withPasted(rows, place, text), place);
  };
  const remove = (index: number) => {
    const left = rows.filter((_, n) => n !== index);
    change(left.length > 0 ? left : [emptyRow(width)], { row: Math.max(0, index - 1), column: 0 });
  };
  const shown: Column<NumberedRow>[] = [
    numberColumn('row', texts.row, ({ row }) => row + 1),
    ...titles.map((title, at) =>
      column(String(at), title, ({ row, cells }: NumberedRow) => (
        <input
          {...(at > 0 && ofLocale(columns[at - 1]!.locale))}
          className={boxClass}
          data-row={row}
          data-column={at}
          aria-label={texts.cellOf(title, row + 1)}
          aria-invalid={faults.some((own) => own.row === row && own.column === at)}
          value={cells[at]}
          autoComplete="off"
          onChange={({ target }) => setRows(withCell(rows, { row, column: at }, target.value))}
        />
      )),
    ),
    column('actions', texts.rowActions, ({ row }) => (
      <span className={styles.rowActions}>
        <Button
          look="quiet"
          aria-label={texts.moveUp(row + 1)}
          disabled={row === 0}
          onClick={() => setRows(withMoved(rows, row, -1))}
        >
          ↑
        </Button>
        <Button
          look="quiet"
          aria-label={texts.moveDown(row + 1)}
          disabled={row === rows.length - 1}
          onClick={() => setRows(withMoved(rows, row, 1))}
        >
          ↓
        </Button>
        <Button look="quiet" aria-label={texts.deleteRow(row + 1)} onClick={() => remove(row)}>
          ✕
        </Button>
      </span>
    )),
  ];
  return (
    <div ref={table} className={styles.edited} onKeyDown={keyDown} onPaste={paste}>
      <Table
        label={texts.listItems}
        columns={shown}
        rows={rows.map((own, row) => ({ ...own, row }))}
        keyOf={({ key }) => String(key)}
      />
      <div className={styles.bar}>
        <Button onClick={() => change([...rows, emptyRow(width)], { row: rows.length, column: 0 })}>
          {texts.addRow}
        </Button>
        <span className={lists.soft}>{texts.editHint}</span>
      </div>
    </div>
  );
}
