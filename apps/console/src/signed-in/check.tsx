import { Panel } from '@canvass/console-ui';
import { useId, type ComponentProps, type ReactNode } from 'react';
import styles from './editor.module.css';
import lists from './list.module.css';

interface CheckProps extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange'> {
  label: ReactNode;
  isChecked: boolean;
  setChecked(isChecked: boolean): void;
}

/** A box with its label. */
export const Check = ({ label, isChecked, setChecked, ...rest }: CheckProps) => (
  <label className={styles.check}>
    <input
      {...rest}
      type="checkbox"
      checked={isChecked}
      onChange={(event) => setChecked(event.target.checked)}
    />
    {label}
  </label>
);

/** The values with one of them, or without it. */
export const withOrWithout = <Value,>(values: readonly Value[], one: Value, isIn: boolean): Value[] =>
  isIn ? [...values, one] : values.filter((own) => own !== one);

interface ChecksProps {
  /** Values with their names, in their order. */
  choices: readonly (readonly [value: string, name: ReactNode])[];
  chosen: readonly string[];
  setChosen(chosen: string[]): void;
  /** The most that can be chosen. */
  max?: number;
}

/** A box for each of some values. */
export const Checks = ({ choices, chosen, setChosen, max = Infinity }: ChecksProps) =>
  choices.map(([value, name]) => (
    <Check
      key={value}
      label={name}
      isChecked={chosen.includes(value)}
      disabled={!chosen.includes(value) && chosen.length >= max}
      setChecked={(isChecked) => setChosen(withOrWithout(chosen, value, isChecked))}
    />
  ));

interface RadiosProps<Value extends string> {
  /** Names by value. */
  choices: Readonly<Record<NoInfer<Value>, ReactNode>>;
  value: Value;
  choose(value: NoInfer<Value>): void;
}

/** One value of some, each beside its name. */
export function Radios<Value extends string>({ choices, value, choose }: RadiosProps<Value>) {
  const group = useId();
  return (Object.entries(choices) as [Value, ReactNode][]).map(([own, name]) => (
    <label key={own} className={styles.check}>
      <input type="radio" name={group} checked={own === value} onChange={() => choose(own)} />
      {name}
    </label>
  ));
}

/** A choice that has a panel of its own. */
export const RadioPanel = <Value extends string>({
  title,
  isReadOnly = false,
  ...radios
}: RadiosProps<Value> & { title: string; isReadOnly?: boolean }) => (
  <Panel title={title}>
    <div className={lists.work}>
      <fieldset className={styles.records} aria-label={title} disabled={isReadOnly}>
        <Radios {...radios} />
      </fieldset>
    </div>
  </Panel>
);
