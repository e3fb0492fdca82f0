import type { ReactNode } from 'react';
import styles from './editor.module.css';

interface CheckProps {
  label: ReactNode;
  isChecked: boolean;
  setChecked(isChecked: boolean): void;
}

/** A box with its label. */
export const Check = ({ label, isChecked, setChecked }: CheckProps) => (
  <label className={styles.check}>
    <input type="checkbox" checked={isChecked} onChange={(event) => setChecked(event.target.checked)} />
    {label}
  </label>
);
