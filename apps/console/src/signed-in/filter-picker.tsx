import { Button, buttonClass, ForeignText, Icon, popoverClass, SearchInput } from '@canvass/console-ui';
import { useState, type ReactNode } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useTexts } from '../i18n';
import { useFilterTexts } from './filter-texts';
import styles from './filters.module.css';

/** The value of a filter that is in force. */
export interface SetFilter {
  /** Unique in its filter. */
  key: string;
  /** The filter with its value, in words. */
  words: string;
  remove(): void;
}

/** A filter that one can pick. */
export interface Filter {
  /** Unique in its list. */
  key: string;
  title: string;
  set: readonly SetFilter[];
  /** Returns whether it is offered whatever one searches for. */
  isAlways?: boolean;
  /** The form for its value. `present` is the key of the value that is changed; absent: a new one. */
  form(steps: { present: string | undefined; close(): void; back(): void }): ReactNode;
}

/** The filters of a list. */
export interface Filters {
  all: readonly Filter[];
  /** Ends all of them. */
  clear(): void;
}

interface FilterPickerProps {
  filters: readonly Filter[];
  /** The button that opens it. */
  label: ReactNode;
  name?: string;
  className?: string | undefined;
  /** The key of the filter that it begins with; absent: one chooses it. */
  first?: string;
  /** The key of the value that is changed. */
  present?: string;
}

/** Picks a filter and its value. */
export function FilterPicker(props: FilterPickerProps) {
  const { label, name, className = '' } = props;
  const texts = useFilterTexts();
  return (
    <DialogTrigger>
      <AriaButton
        className={`${buttonClass} ${className}`}
        {...(name !== undefined && { 'aria-label': name })}
      >
        {props.first === undefined && <Icon name="filter" />} {label}
      </AriaButton>
      <Popover className={`${popoverClass} ${styles.popover}`} placement="bottom start" containerPadding={32}>
        <Dialog aria-label={texts.choose} className={styles.dialog!}>
          {({ close }) => <Picker {...props} close={close} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** Filters from which on one searches for one. */
const many = 8;

function Picker({ filters, first, present, close }: FilterPickerProps & { close(): void }) {
  const texts = useFilterTexts();
  const [picked, setPicked] = useState(first ?? null);
  const [search, setSearch] = useState('');
  const filter = filters.find(({ key }) => key === picked);
  if (filter !== undefined) return filter.form({ present, close, back: () => setPicked(null) });
  const words = search.trim().toLowerCase();
  const found = filters.filter(({ title, key }) => `${title} ${key}`.toLowerCase().includes(words));
  const others = filters.filter((own) => own.isAlways === true && !found.includes(own));
  return (
    <>
      {filters.length >= many && (
        <SearchInput label={texts.find} value={search} setValue={setSearch} autoFocus />
      )}
      {found.length === 0 && <p role="status">{texts.noFilterFound}</p>}
      <ul className={styles.list}>
        {[...found, ...others].map(({ key, title }, index) => (
          <li key={key}>
            <Button
              look="quiet"
              autoFocus={index === 0 && filters.length < many}
              onClick={() => setPicked(key)}
            >
              <ForeignText isCut>{title}</ForeignText>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The button that adds a filter. */
export function AddFilter({ filters: { all } }: { filters: Filters }) {
  const texts = useFilterTexts();
  return <FilterPicker filters={all} label={texts.add} />;
}

/** The filters in force: each can be changed and removed. */
export function FilterChips({ filters: { all, clear } }: { filters: Filters }) {
  const common = useTexts();
  const texts = useFilterTexts();
  return (
    <>
      {all.flatMap((filter) =>
        filter.set.map(({ key, words, remove }) => (
          <span key={`${filter.key} ${key}`} className={styles.chip}>
            <FilterPicker
              filters={all}
              label={<ForeignText isCut>{words}</ForeignText>}
              name={texts.edit(words)}
              first={filter.key}
              present={key}
            />
            <Button aria-label={texts.remove(words)} onClick={remove}>
              ✕
            </Button>
          </span>
        )),
      )}
      <Button look="quiet" onClick={clear}>
        {common.filterClear}
      </Button>
    </>
  );
}

/** Returns whether one of the filters is in force. */
export const isFiltered = ({ all }: Filters): boolean => all.some(({ set }) => set.length > 0);
