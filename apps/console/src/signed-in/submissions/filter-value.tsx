import { Button, Field, ForeignText } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { usePreferences } from '../../i18n';
import { Check } from '../check';
import { textInput } from '../fields';
import styles from '../filters.module.css';
import { may, useMe } from '../me';
import { FilterForm } from '../plain-filters';
import type { Asked } from './asked';
import { readFilter, writeFilter } from './filter-text';
import { useFilterTexts } from './filter-texts';
import { findItems, labelIn } from './use-asked';

interface FilterValueProps {
  asked: Asked;
  present: string | undefined;
  done(filters: string[]): void;
  back(): void;
}

/** The values of a question that the submissions shall have. */
export function FilterValue({ asked, present, done, back }: FilterValueProps) {
  const texts = useFilterTexts();
  const { field, title, kind, choices } = asked;
  const before = present === undefined ? null : readFilter(present);
  const [chosen, setChosen] = useState<(string | null)[]>(before?.values ?? []);
  const textBefore = before?.values[0] ?? '';
  const isUpper = before?.operator === '<:' || before?.operator === '<';
  const [from, setFrom] = useState(isUpper ? '' : textBefore);
  const [to, setTo] = useState(isUpper ? textBefore : '');
  const isUnanswered = chosen.includes(null);
  const filters = (): string[] => {
    const one = (operator: string, values: (string | null)[]) => writeFilter({ field, operator, values });
    if (isUnanswered && chosen.length === 1) return [one(':', [null])];
    if (kind === 'choices' || kind === 'list') {
      return chosen.length === 0 ? [] : [one(before?.operator === '!:' ? '!:' : ':', chosen)];
    }
    if (kind === 'numbers') {
      return [...(from === '' ? [] : [one('>:', [from])]), ...(to === '' ? [] : [one('<:', [to])])];
    }
    return from.trim() === '' ? [] : [one(kind === 'profile' ? ':' : '~:', [from.trim()])];
  };
  const toggle = (value: string | null) => (isOn: boolean) =>
    setChosen((now) => (isOn ? [...now, value] : now.filter((own) => own !== value)));
  const number = { type: 'number', step: 'any' } as const;
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map());
  const known = new Set(choices.map(([value]) => value));
  const others = chosen.filter((value) => value !== null && !known.has(value)) as string[];
  return (
    <FilterForm title={title} back={back} isEmpty={filters().length === 0} submit={() => done(filters())}>
      {(kind === 'choices' || kind === 'list') && (
        <div className={styles.list} role="group" aria-label={texts.value}>
          {[...choices, ...others.map((value) => [value, picked.get(value) ?? value] as const)].map(
            ([value, label]) => (
              <Check
                key={value}
                label={label}
                isChecked={chosen.includes(value)}
                setChecked={toggle(value)}
              />
            ),
          )}
        </div>
      )}
      {kind === 'list' && (
        <ListValues
          list={asked.list}
          pick={(value, label) => {
            setPicked(new Map(picked).set(value, label));
            setChosen((now) => [...new Set([...now, value])]);
          }}
        />
      )}
      {kind === 'numbers' && (
        <>
          <Field label={texts.from} {...number} {...textInput(from, setFrom)} />
          <Field label={texts.to} {...number} {...textInput(to, setTo)} />
        </>
      )}
      {(kind === 'texts' || kind === 'dates' || kind === 'profile') && (
        <Field
          label={kind === 'texts' ? texts.contains : kind === 'dates' ? texts.on : texts.value}
          type={kind === 'dates' ? 'date' : 'text'}
          {...textInput(from, setFrom)}
          autoFocus
        />
      )}
      <Check label={texts.unanswered} isChecked={isUnanswered} setChecked={toggle(null)} />
    </FilterForm>
  );
}

/** Finds values of a data list by their labels. */
function ListValues({ list, pick }: { list: string; pick(value: string, label: string): void }) {
  const texts = useFilterTexts();
  const me = useMe();
  const { language } = usePreferences();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['list-values', list, search, language],
    enabled: may(me, 'listDataListItems'),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findItems(list, { query: search, locale: language }, signal),
  });
  return (
    <>
      <Field
        label={texts.findValue}
        type="search"
        {...textInput(typed, setTyped)}
        // Enter takes what was typed as the value, where the list cannot be read.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (found.data === undefined && search !== '') pick(search, search);
        }}
      />
      <div className={styles.list} role="status">
        {(found.data?.items ?? []).map((item) => (
          <Button key={item.value} look="quiet" onClick={() => pick(item.value, labelIn(item, language))}>
            + <ForeignText isCut>{labelIn(item, language)}</ForeignText>
          </Button>
        ))}
      </div>
    </>
  );
}
