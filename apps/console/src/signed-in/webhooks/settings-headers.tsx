import { Button, Field } from '@canvass/console-ui';
import styles from './desk.module.css';
import type { EditedEndpoint } from './settings';
import { fieldName } from './settings-faults';
import { Rows } from './settings-rows';
import { useSettingsTexts } from './settings-texts';

export interface HeaderRowsProps {
  edited: EditedEndpoint;
  change(edited: EditedEndpoint): void;
}

/** The further headers of an endpoint. */
export function HeaderRows({ edited, change }: HeaderRowsProps) {
  const own = useSettingsTexts();
  const { key, headers } = edited;
  const setAt = (index: number, header: readonly [string, string]) =>
    change({ ...edited, headers: headers.map((each, at) => (at === index ? header : each)) });
  return (
    <Rows
      title={own.headers}
      hint={own.headersHint}
      add={own.addHeader}
      count={headers.length}
      append={() => change({ ...edited, headers: [...headers, ['', '']] })}
    >
      {headers.map(([name, value], index) => {
        // The settings have an object: of two equal names one would be lost without an error.
        const isTaken = headers.findIndex(([each]) => each === name) < index;
        return (
          <div key={index} className={styles.row}>
            <Field
              // The API refuses names at the object of all.
              name={index === 0 ? fieldName(key, 'Headers') : undefined}
              label={own.headerName(index + 1)}
              ref={(field) => field?.setCustomValidity(isTaken ? own.sameName : '')}
              required
              autoFocus={name === ''}
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={({ target }) => setAt(index, [target.value, value])}
            />
            <Field
              name={fieldName(key, `Headers.${name}`)}
              label={own.headerValue(index + 1)}
              required
              autoComplete="off"
              value={value}
              onChange={({ target }) => setAt(index, [name, target.value])}
            />
            <Button
              aria-label={own.removeHeader(index + 1)}
              onClick={() => change({ ...edited, headers: headers.filter((_, at) => at !== index) })}
            >
              ✕
            </Button>
          </div>
        );
      })}
    </Rows>
  );
}
