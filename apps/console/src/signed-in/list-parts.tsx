import { Badge, Button, SearchInput, State } from '@canvass/console-ui';
import { useEffect, useState } from 'react';
import { usePreferences, useTexts } from '../i18n';
import { submitting } from './fields';
import type { Place, SearchField } from './list-state';
import styles from './filters.module.css';
import lists from './list.module.css';

/** The search of a list. It takes effect with Enter, and ends when it is emptied. */
export function SearchBox({ label, placeholder, value, setValue }: SearchField) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const change = (next: string) => {
    setDraft(next);
    if (next === '' && value !== '') setValue('');
  };
  return (
    <form
      role="search"
      aria-label={label}
      className={styles.search}
      onSubmit={submitting(() => setValue(draft.trim()))}
    >
      <SearchInput label={label} placeholder={placeholder} value={draft} setValue={change} />
    </form>
  );
}

/** Shows whether a form, a list or an account is in use. */
export function EnabledBadge({ isEnabled }: { isEnabled: boolean | undefined }) {
  const texts = useTexts();
  return <Badge tone={isEnabled ? 'good' : 'none'}>{isEnabled ? texts.enabled : texts.disabled}</Badge>;
}

interface PagerProps {
  /** The page as the API returned it. */
  page: { next: string | null; previous: string | null; total: number | null; totalIsExact: boolean };
  goTo(place: Place): void;
}

/** Shows how many records there are, and the way to the other pages, if there are some. */
export function Pager({ page, goTo }: PagerProps) {
  const texts = useTexts();
  const { language } = usePreferences();
  const { next, previous, total, totalIsExact } = page;
  if (next === null && previous === null) return null;
  return (
    <div className={lists.pager}>
      <span>{total !== null && `${total.toLocaleString(language)}${totalIsExact ? '' : '+'}`}</span>
      <span className={lists.row}>
        <Button disabled={previous === null} onClick={() => goTo({ before: previous! })}>
          {texts.previousPage}
        </Button>
        <Button disabled={next === null} onClick={() => goTo({ after: next! })}>
          {texts.nextPage}
        </Button>
      </span>
    </div>
  );
}

interface NothingProps {
  /** Returns whether a filter is set. */
  isFiltered: boolean;
  clear(): void;
  title: string;
  /** The sentence that says what makes the first record. */
  hint: string;
}

/** An empty list: nothing there yet, or nothing that matches. */
export function Nothing({ isFiltered, clear, title, hint }: NothingProps) {
  const texts = useTexts();
  if (!isFiltered) return <State title={title}>{hint}</State>;
  return (
    <State title={texts.nothingMatches} actions={<Button onClick={clear}>{texts.filterClear}</Button>}>
      {texts.nothingMatchesHint}
    </State>
  );
}
