import { Button, buttonClass, ForeignText } from '@canvass/console-ui';
import { useId, type ReactNode } from 'react';
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { usePreferences, useTexts } from '../i18n';
import styles from './filters.module.css';
import shell from './shell.module.css';
import { instantOf, zonedOf } from './zoned-time';

/** The filters of a list in one row, with a button that clears them if one is set. */
export function FilterBar({ clear, children }: { clear: (() => void) | null; children: ReactNode }) {
  const texts = useTexts();
  return (
    <div className={styles.bar}>
      {children}
      {clear !== null && (
        <Button look="quiet" onClick={clear}>
          {texts.filterClear}
        </Button>
      )}
    </div>
  );
}

export interface ChoiceFilterProps {
  title: string;
  /** Names by value. */
  choices: Readonly<Record<string, string>>;
  /** Chosen values, separated by commas, as in the URL. */
  value: string;
  setValue(value: string): void;
}

/** Several values of a field, of which one must hold. Values that it does not know are kept. */
export function ChoiceFilter({ title, choices, value, setValue }: ChoiceFilterProps) {
  const chosen = valuesOf(value);
  const names = chosen.map((own) => choices[own] ?? own).join(', ');
  return (
    <MenuTrigger>
      <AriaButton className={`${buttonClass} ${chosen.length > 0 ? styles.set : ''}`}>
        {chosen.length > 0 ? `${title}: ${names}` : title} <span aria-hidden="true">▾</span>
      </AriaButton>
      <Popover className={shell.popover} placement="bottom start">
        <Menu
          className={shell.menu}
          aria-label={title}
          selectionMode="multiple"
          selectedKeys={chosen}
          onSelectionChange={(keys) =>
            setValue((keys === 'all' ? Object.keys(choices) : [...keys]).join(','))
          }
        >
          {Object.entries(choices).map(([own, name]) => (
            <MenuItem key={own} id={own}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** The values of a filter in the URL. */
const valuesOf = (value: string): string[] => value.split(',').filter((own) => own !== '');

export interface OneOfProps {
  title: string;
  /** Names by value; the empty value is no filter. */
  choices: Readonly<Record<string, string>>;
  value: string;
  setValue(value: string): void;
}

/** One value of a field. */
export function OneOf({ title, choices, value, setValue }: OneOfProps) {
  const id = useId();
  return (
    <span className={styles.field}>
      <label htmlFor={id}>{title}</label>
      <select id={id} value={value} onChange={(event) => setValue(event.target.value)}>
        {Object.entries(choices).map(([own, name]) => (
          <option key={own} value={own}>
            {name}
          </option>
        ))}
        {value !== '' && !Object.hasOwn(choices, value) && <option value={value}>{value}</option>}
      </select>
    </span>
  );
}

export interface TimeFilterProps {
  title: string;
  /** Instant in ISO 8601; empty if it is not set. */
  value: string;
  setValue(value: string): void;
}

/** A time in the zone in which times are shown. The URL and the API have the instant. */
export function TimeFilter({ title, value, setValue }: TimeFilterProps) {
  const id = useId();
  const { zone } = usePreferences();
  return (
    <span className={styles.field}>
      <label htmlFor={id}>{title}</label>
      <input
        id={id}
        type="datetime-local"
        value={zonedOf(value, zone)}
        onChange={(event) => setValue(instantOf(event.target.value, zone))}
      />
    </span>
  );
}

export interface ChipsProps {
  values: readonly string[];
  /** Names the button that removes one. */
  removeLabel(value: string): string;
  setValues(values: readonly string[]): void;
}

/** Filters in the words of the API, each with a button that removes it. */
export function Chips({ values, removeLabel, setValues }: ChipsProps) {
  return (
    <ul className={styles.chips}>
      {values.map((value) => (
        <li key={value}>
          <Button
            className={`${styles.set} ${styles.chip}`}
            aria-label={removeLabel(value)}
            onClick={() => setValues(values.filter((own) => own !== value))}
          >
            <ForeignText isCut>{value}</ForeignText> ✕
          </Button>
        </li>
      ))}
    </ul>
  );
}
