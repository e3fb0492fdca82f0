import type { ReactNode } from 'react';
import { Toolbar } from 'react-aria-components';
import styles from './list-bar.module.css';

export interface ListBarProps {
  /** Names the buttons for screen readers. */
  label: string;
  /** The field of the search. It is not one of the buttons: arrow keys move in its text. */
  search?: ReactNode;
  /** The buttons that change which rows are shown. */
  start?: ReactNode;
  /** The buttons at the end of the row. */
  end?: ReactNode;
  /** The filters in force, below the row. */
  below?: ReactNode;
}

/** The search and the buttons of a list in one row. Arrow keys lead through the buttons: Tab stops at one. */
export const ListBar = ({ label, search, start, end, below }: ListBarProps) => (
  <>
    <div className={styles.bar}>
      {search}
      <Toolbar aria-label={label} className={styles.buttons!}>
        {start}
        <span className={styles.end}>{end}</span>
      </Toolbar>
    </div>
    {below && <div className={styles.below}>{below}</div>}
  </>
);
