import { Button, buttonClass, ForeignText } from '@canvass/console-ui';
import { useState, type ReactNode } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { FilterBox } from '../list-parts';
import type { Asked } from './asked';
import { readFilter } from './filter-text';
import { useFilterTexts } from './filter-texts';
import { FilterValue } from './filter-value';
import styles from './picker.module.css';

interface FilterPickerProps {
  asked: readonly Asked[];
  /** The button that opens it. */
  label: ReactNode;
  name?: string;
  className?: string | undefined;
  /** The filter that is changed, or its field; absent: a new one. */
  present?: string;
  setFilters(filters: string[]): void;
}

const fieldOf = (filter: string | undefined) =>
  filter === undefined ? undefined : (readFilter(filter)?.field ?? filter);

/** Picks a question and a value, or takes a filter as one writes it for the API. */
export function FilterPicker(props: FilterPickerProps) {
  const { label, name, className = '' } = props;
  const texts = useFilterTexts();
  return (
    <DialogTrigger>
      <AriaButton
        className={`${buttonClass} ${className}`}
        {...(name !== undefined && { 'aria-label': name })}
      >
        {label}
      </AriaButton>
      <Popover className={styles.popover} placement="bottom start">
        <Dialog aria-label={texts.choose} className={styles.dialog}>
          {({ close }) => <Picker {...props} close={close} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Picker({ asked, present, setFilters, close }: FilterPickerProps & { close(): void }) {
  const texts = useFilterTexts();
  const [picked, setPicked] = useState(asked.find(({ field }) => field === fieldOf(present)) ?? null);
  const [search, setSearch] = useState('');
  const done = (filters: string[]) => {
    setFilters(filters);
    close();
  };
  if (picked !== null) {
    return <FilterValue asked={picked} present={present} done={done} back={() => setPicked(null)} />;
  }
  const words = search.trim().toLowerCase();
  const found = asked.filter(({ title, field }) => `${title} ${field}`.toLowerCase().includes(words));
  return (
    <>
      <input
        type="search"
        className={styles.find}
        aria-label={texts.find}
        placeholder={texts.find}
        value={search}
        autoFocus
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul className={styles.questions}>
        {found.map((own) => (
          <li key={own.field}>
            <Button look="quiet" onClick={() => setPicked(own)}>
              <ForeignText isCut>{own.title}</ForeignText>
            </Button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">{texts.noQuestion}</p>}
      <details>
        <summary>{texts.expert}</summary>
        <FilterBox
          label={texts.expert}
          placeholder={texts.expertHint}
          value={present ?? ''}
          setValue={(text) => text !== '' && done([text])}
        />
      </details>
    </>
  );
}
