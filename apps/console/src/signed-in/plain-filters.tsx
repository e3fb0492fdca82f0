import { Button, Field, ForeignText, SearchInput } from '@canvass/console-ui';
import { useState, type ReactNode } from 'react';
import { usePreferences } from '../i18n';
import { Checks } from './check';
import editor from './editor.module.css';
import { submitting, textInput } from './fields';
import type { Filter, Filters } from './filter-picker';
import { useFilterTexts } from './filter-texts';
import styles from './filters.module.css';
import { useFormats } from './formats';
import type { ListState } from './list-state';
import { instantOf, zonedOf } from './zoned-time';

/** Names by value. Other values are kept and shown as they are. */
interface Choices {
  choices: Readonly<Record<string, string>>;
}

/** A filter with a parameter of the address. */
export type PlainFilter = {
  /** The name of the parameter. */
  name: string;
  title: string;
} & (
  | ({ kind: 'one' } & Choices)
  /** Values of which one must hold, separated by commas. */
  | ({ kind: 'several' } & Choices)
  /** A time is one of the zone in which times are shown. The address and the API have the instant. */
  | { kind: 'text' | 'time' | 'day'; hint?: string }
);

/** Choices from which on one searches for one. */
const many = 12;

/** The filters of a list that are parameters of the address. */
export function usePlainFilters(list: ListState, filters: readonly PlainFilter[]): Filters {
  const { moment } = useFormats();
  const wordsOf = (filter: PlainFilter, value: string): string => {
    if (filter.kind === 'time') return Number.isNaN(Date.parse(value)) ? value : moment(value);
    if (!('choices' in filter)) return value;
    return valuesOf(value)
      .map((own) => filter.choices[own] ?? own)
      .join(', ');
  };
  const all = filters.map((filter): Filter => {
    const { name, title } = filter;
    const value = list.filter(name);
    const setValue = (next: string) => list.setFilters({ [name]: next });
    return {
      key: name,
      title,
      set:
        value === ''
          ? []
          : [{ key: '', words: `${title}: ${wordsOf(filter, value)}`, remove: () => setValue('') }],
      form: ({ close, back }) => {
        const done = (next: string) => {
          setValue(next);
          close();
        };
        return <PlainForm key={name} filter={filter} value={value} done={done} back={back} />;
      },
    };
  });
  return { all, clear: list.clear };
}

const valuesOf = (value: string): string[] => value.split(',').filter((own) => own !== '');

interface PlainFormProps {
  filter: PlainFilter;
  value: string;
  done(value: string): void;
  back(): void;
}

function PlainForm({ filter, value, done, back }: PlainFormProps) {
  const { title } = filter;
  const { zone } = usePreferences();
  const [draft, setDraft] = useState(filter.kind === 'time' ? zonedOf(value, zone) : value);
  const submit = () => done(filter.kind === 'time' ? instantOf(draft, zone) : draft.trim());
  const texts = useFilterTexts();
  const [typed, setTyped] = useState('');
  if (filter.kind === 'one') {
    const all = Object.entries(filter.choices);
    const isLong = all.length >= many;
    const words = typed.trim().toLowerCase();
    return (
      <FilterForm title={title} back={back}>
        {isLong && <SearchInput label={texts.findChoice} value={typed} setValue={setTyped} autoFocus />}
        <div className={styles.list} role="group" aria-label={title}>
          {all
            .filter(([, name]) => name.toLowerCase().includes(words))
            .map(([own, name], index) => (
              <Button
                key={own}
                look="quiet"
                autoFocus={index === 0 && !isLong}
                aria-pressed={own === value}
                onClick={() => done(own)}
              >
                <ForeignText isCut>{name}</ForeignText>
              </Button>
            ))}
        </div>
      </FilterForm>
    );
  }
  if (filter.kind === 'several') {
    const chosen = valuesOf(draft);
    const names = { ...Object.fromEntries(chosen.map((own) => [own, own])), ...filter.choices };
    return (
      <FilterForm title={title} back={back} submit={submit}>
        <div className={styles.list} role="group" aria-label={title}>
          <Checks
            choices={Object.entries(names)}
            chosen={chosen}
            setChosen={(next) => setDraft(next.join(','))}
          />
        </div>
      </FilterForm>
    );
  }
  return (
    <FilterForm title={title} back={back} submit={submit}>
      <Field
        label={title}
        placeholder={filter.hint}
        type={{ text: 'text', time: 'datetime-local', day: 'date' }[filter.kind]}
        autoFocus
        {...textInput(draft, setDraft)}
      />
    </FilterForm>
  );
}

interface FilterFormProps {
  title: string;
  back(): void;
  /** Takes the value; absent: choosing one does. */
  submit?: () => void;
  /** Returns whether there is no value to take yet. */
  isEmpty?: boolean;
  children: ReactNode;
}

/** The frame of a form for the value of a filter. */
export function FilterForm({ title, back, submit, isEmpty = false, children }: FilterFormProps) {
  const texts = useFilterTexts();
  return (
    <form className={editor.group} onSubmit={submitting(() => !isEmpty && submit?.())}>
      <strong>
        <ForeignText>{title}</ForeignText>
      </strong>
      {children}
      <div className={styles.actions}>
        <Button look="quiet" onClick={back}>
          {texts.back}
        </Button>
        {submit !== undefined && (
          <Button look="primary" type="submit" disabled={isEmpty}>
            {texts.apply}
          </Button>
        )}
      </div>
    </form>
  );
}
