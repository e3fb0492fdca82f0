import { boxClass } from '@canvass/console-ui';
import { useId } from 'react';
import styles from './filters.module.css';

export interface OneOfProps {
  title: string;
  /** Names by value. */
  choices: Readonly<Record<string, string>>;
  value: string;
  setValue(value: string): void;
}

/** One value of some. */
export function OneOf({ title, choices, value, setValue }: OneOfProps) {
  const id = useId();
  return (
    <span className={styles.field}>
      <label htmlFor={id}>{title}</label>
      <select id={id} className={boxClass} value={value} onChange={(event) => setValue(event.target.value)}>
        {Object.entries(choices).map(([own, name]) => (
          <option key={own} value={own}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
