import { Button } from '@canvass/console-ui';
import { useEffect, useRef, type ReactNode } from 'react';
import editor from '../editor.module.css';
import styles from './desk.module.css';

/** Most filters and headers of an endpoint, as the API permits. */
const maxRows = 10;

export interface RowsProps {
  title: string;
  hint: string;
  /** The label of the button that adds a row. */
  add: string;
  count: number;
  append(): void;
  children: ReactNode;
}

/** Rows of fields that one adds and removes. */
export function Rows({ title, hint, add, count, append, children }: RowsProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const former = useRef(count);
  useEffect(() => {
    // The button that removed a row no longer exists, or belongs to another row.
    if (count < former.current) group.current?.querySelector<HTMLElement>(':scope > button')?.focus();
    former.current = count;
  }, [count]);
  return (
    <fieldset ref={group} className={editor.records}>
      <legend>{title}</legend>
      {children}
      <span className={styles.hint}>{hint}</span>
      {count < maxRows && (
        <Button className={styles.addRow} onClick={append}>
          + {add}
        </Button>
      )}
    </fieldset>
  );
}
