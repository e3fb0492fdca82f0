import { useRef, type DragEvent, type PointerEvent } from 'react';
import { ForeignText } from '../foreign-text';
import { permittedWidth, type PlacedColumn } from './columns';
import { followPointer } from './drag';
import type { ColumnWindow } from './geometry';
import styles from './grid.module.css';
import { cellsOf, selectKey } from './grid-row';
import type { GridSort } from './types';

export interface GridHeaderProps<Row> {
  columns: readonly PlacedColumn<Row>[];
  window: ColumnWindow;
  activeColumn: number | null;
  sort: GridSort | undefined;
  setSort: ((sort: GridSort) => void) | undefined;
  setWidth(key: string, width: number): void;
  move(key: string, target: string): void;
  /** The width that the content of a column needs. */
  widthOf(index: number): number;
}

/** The row of the column titles: a click sorts, a drag moves a column or changes its width. */
export function GridHeader<Row>(props: GridHeaderProps<Row>) {
  const { columns, window, activeColumn, sort, setSort, setWidth, move, widthOf } = props;
  const dragged = useRef<string | null>(null);
  const isResizing = useRef(false);
  const dropOn = (target: string) => (event: DragEvent) => {
    event.preventDefault();
    if (dragged.current !== null && dragged.current !== target) move(dragged.current, target);
    dragged.current = null;
  };
  const startDrag = (key: string) => (event: DragEvent) => {
    if (isResizing.current) return event.preventDefault();
    dragged.current = key;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', key); // Firefox drags nothing without data
  };
  const startResize =
    ({ key, width }: PlacedColumn<Row>) =>
    (event: PointerEvent<HTMLElement>) => {
      isResizing.current = true;
      const drag = (pixels: number) => setWidth(key, permittedWidth(width + pixels));
      followPointer(event, drag, () => (isResizing.current = false));
    };
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.headRow}>
        {cellsOf(columns, window, activeColumn).map(({ column, index, place }) => (
          <div
            key={column.key}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={sort?.key === column.key ? `${sort.direction}ending` : undefined}
            className={`${styles.headCell} ${column.isNumber === true ? styles.number : ''} ${column.isPinned ? styles.pinned : ''}`}
            style={place}
            tabIndex={index === activeColumn ? 0 : -1}
            data-row={-1}
            data-column={index}
            data-active={index === activeColumn || undefined}
            data-sortable={(column.isSortable === true && setSort !== undefined) || undefined}
            draggable={column.key !== selectKey}
            onDragStart={startDrag(column.key)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={dropOn(column.key)}
          >
            <span className={styles.title} data-hidden={column.key === selectKey || undefined}>
              <ForeignText isCut>{column.title}</ForeignText>
            </span>
            {sort?.key === column.key && (
              <span aria-hidden="true">{sort.direction === 'asc' ? '↑' : '↓'}</span>
            )}
            {column.key !== selectKey && (
              <span
                className={styles.handle}
                onPointerDown={startResize(column)}
                onClick={(event) => event.stopPropagation()}
                onDoubleClick={(event) => {
                  event.stopPropagation();
                  setWidth(column.key, permittedWidth(widthOf(index)));
                }}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The order that follows when a user asks to sort by a column. */
export const nextSort = (sort: GridSort | undefined, key: string): GridSort => ({
  key,
  direction: sort?.key === key && sort.direction === 'desc' ? 'asc' : 'desc',
});
