import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import styles from './panel.module.css';

export interface PanelProps {
  title: string;
  /** Tools beside the title: filters, links. */
  tools?: ReactNode;
  /** Returns whether its data are being read again. */
  busy?: boolean;
  children: ReactNode;
}

/** A part of a page with a title. */
export function Panel({ title, tools, busy = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id} aria-busy={busy}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {tools}
      </div>
      {children}
    </section>
  );
}

export interface Column<Row> {
  /** Unique in its table. */
  key: string;
  title: string;
  cell(row: Row): ReactNode;
  /** Numbers are aligned at their end. */
  isNumber?: boolean;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** Returns whether the content of an element is wider than the element. */
function useOverflow() {
  const ref = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const own = ref.current!;
    const observer = new ResizeObserver(() => setOverflows(own.scrollWidth > own.clientWidth));
    for (const each of [own, own.firstElementChild!]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return { ref, overflows };
}

/** A table of one page of rows. If it is wide, keys scroll it. On a narrow screen each row is a card. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const classOf = ({ isNumber }: Column<Row>) => (isNumber === true ? styles.number : undefined);
  const { ref, overflows } = useOverflow();
  return (
    <div
      ref={ref}
      className={styles.scroll}
      {...(overflows && { role: 'group', 'aria-label': label, tabIndex: 0 })}
    >
      {/* The roles survive the card layout, which would otherwise end them. */}
      <table className={styles.table} aria-label={label} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.key} scope="col" role="columnheader" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <td key={column.key} role="cell" data-label={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
