import { useState } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button, buttonClass, SearchInput } from '../controls';
import { ForeignText } from '../foreign-text';
import { popoverClass } from '../menu';
import { defaultLayout, moved, placed, type GridColumn, type GridLayout } from './columns';
import styles from './grid.module.css';
import type { GridTexts } from './types';

export interface ColumnChooserProps<Row> {
  columns: readonly GridColumn<Row>[];
  layout: GridLayout;
  setLayout(change: Partial<GridLayout>): void;
  texts: GridTexts;
}

/** Shows, hides, pins and orders the columns of a grid. */
export function ColumnChooser<Row>(props: ColumnChooserProps<Row>) {
  const { texts } = props;
  return (
    <DialogTrigger>
      <AriaButton className={buttonClass}>{texts.columns}</AriaButton>
      {/* The list stays usable: it shows what the columns do, and a click on it closes this. */}
      <Popover className={popoverClass} placement="bottom end" isNonModal>
        <Dialog aria-label={texts.columns} className={styles.chooser}>
          <Chooser {...props} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Chooser<Row>({ columns, layout, setLayout, texts }: ColumnChooserProps<Row>) {
  const [search, setSearch] = useState('');
  const all = placed(columns, layout);
  const found = all.filter(({ title }) => title.toLowerCase().includes(search.trim().toLowerCase()));
  const isLast = all.filter(({ isHidden }) => !isHidden).length === 1;
  const { order, hidden, pinned, widths } = defaultLayout;
  const step = (key: string, by: number) => {
    const target = found[found.findIndex((column) => column.key === key) + by];
    return target === undefined ? undefined : () => setLayout(moved(columns, layout, key, target.key));
  };
  return (
    <>
      <SearchInput label={texts.findColumn} value={search} setValue={setSearch} />
      <ul className={styles.choices}>
        {found.map(({ key, title, group, isHidden, isPinned }) => (
          <li key={key}>
            <label>
              <input
                type="checkbox"
                checked={!isHidden}
                disabled={!isHidden && isLast}
                onChange={() => setLayout({ hidden: { ...layout.hidden, [key]: !isHidden } })}
              />
              <span>
                <ForeignText isCut>{title}</ForeignText>
                {group !== undefined && <small>{group}</small>}
              </span>
            </label>
            <Step sign="↑" label={texts.moveUp(title)} run={step(key, -1)} />
            <Step sign="↓" label={texts.moveDown(title)} run={step(key, 1)} />
            <Button
              look="quiet"
              className={styles.step}
              aria-label={texts.pin(title)}
              aria-pressed={isPinned}
              onClick={() => setLayout({ pinned: { ...layout.pinned, [key]: !isPinned } })}
            >
              <span aria-hidden="true">{isPinned ? '◆' : '◇'}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Button onClick={() => setLayout({ order, hidden, pinned, widths })}>{texts.resetColumns}</Button>
    </>
  );
}

interface StepProps {
  sign: string;
  label: string;
  /** Undefined at the end of the list. */
  run: (() => void) | undefined;
}

function Step({ sign, label, run }: StepProps) {
  return (
    // It stays in the order of Tab at the end of the list, so that the focus is not lost there.
    <Button
      look="quiet"
      className={styles.step}
      aria-label={label}
      aria-disabled={run === undefined}
      onClick={run}
    >
      <span aria-hidden="true">{sign}</span>
    </Button>
  );
}
