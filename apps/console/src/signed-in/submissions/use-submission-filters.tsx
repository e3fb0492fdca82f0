import { Button, Field, ForeignText } from '@canvass/console-ui';
import { useState } from 'react';
import { useTexts } from '../../i18n';
import { textInput } from '../fields';
import { FilterPicker, type Filter } from '../filter-picker';
import { useFilterTexts as useCommonTexts } from '../filter-texts';
import styles from '../filters.module.css';
import type { ListState } from '../list-state';
import { may, useMe } from '../me';
import { FilterForm, usePlainFilters, type PlainFilter } from '../plain-filters';
import type { Finding } from '../record-grid';
import { isFilter, likelyFor, type Asked } from './asked';
import { readFilter, writeFilter } from './filter-text';
import { useFilterTexts, wordsOf } from './filter-texts';
import { FilterValue } from './filter-value';
import { useSubmissionTexts } from './texts';

/**
 * What one finds submissions with, as it is in the address.
 *
 * @param asked what one can pick
 * @param placeholder of the search by display id
 */
export function useSubmissionFilters(
  list: ListState,
  asked: readonly Asked[],
  placeholder: string,
): Required<Pick<Finding, 'search' | 'filters' | 'hints'>> {
  const texts = useTexts();
  const own = useSubmissionTexts();
  const words = useFilterTexts();
  const me = useMe();
  const deleted: PlainFilter = {
    name: 'deleted',
    title: own.deleted,
    kind: 'one',
    choices: { true: own.onlyDeleted },
  };
  const plain = usePlainFilters(list, [
    { name: 'status', title: texts.reviewStatus, kind: 'several', choices: texts.reviewStatuses },
    { name: 'collection', title: texts.collectionStatus, kind: 'several', choices: texts.collectionStatuses },
    { name: 'from', title: own.from, kind: 'time' },
    { name: 'to', title: own.to, kind: 'time' },
    {
      name: 'test',
      title: own.isTest,
      kind: 'one',
      choices: { false: own.withoutTests, true: own.onlyTests },
    },
    ...(may(me, 'restoreSubmission') ? [deleted] : []),
  ]);
  const where = list.filters('where');
  const [written, unknown] = [true, false].map((is) =>
    where.filter((text) => isFilter(text, asked) === is),
  ) as [string[], string[]];
  /** Adds filters in the place of one, if there is one. */
  const add = (filters: readonly string[], before?: string) => {
    const at = before === undefined ? where.length : where.indexOf(before);
    list.setAll('where', [...new Set([...where.slice(0, at), ...filters, ...where.slice(at + 1)])]);
  };
  const setOf = (isOwn: (field: string | undefined) => boolean): Filter['set'] =>
    written
      .filter((text) => isOwn(readFilter(text)?.field))
      .map((text) => ({ key: text, words: wordsOf(text, asked, words), remove: () => add([], text) }));
  const fields = new Set<string | undefined>(asked.map(({ field }) => field));
  const filters = [
    ...plain.all,
    ...asked.map((each) => ({ ...askedFilter(each, add), set: setOf((field) => field === each.field) })),
    {
      key: '*written',
      title: words.expert,
      isAlways: true,
      set: setOf((field) => !fields.has(field)),
      form: ({ present, close, back }) => (
        <WrittenForm
          text={present ?? ''}
          back={back}
          done={(text) => {
            add([text], present);
            close();
          }}
        />
      ),
    } satisfies Filter,
  ];
  return {
    search: list.searchBox(texts.filterByDisplayId, placeholder),
    filters: { all: filters, clear: list.clear },
    hints:
      unknown.length > 0 &&
      unknown.map((text) => (
        <Unknown key={text} text={text} asked={asked} replace={(next) => add(next, text)} />
      )),
  };
}

/** A question as a filter. */
const askedFilter = (
  asked: Asked,
  add: (filters: readonly string[], before: string | undefined) => void,
): Omit<Filter, 'set'> => ({
  key: asked.field,
  title: asked.title,
  form: ({ present, close, back }) => (
    <FilterValue
      asked={asked}
      present={present}
      back={back}
      done={(filters) => {
        add(filters, present);
        close();
      }}
    />
  ),
});

interface WrittenFormProps {
  text: string;
  done(text: string): void;
  back(): void;
}

/** A filter as one writes it for the API. */
function WrittenForm({ text, done, back }: WrittenFormProps) {
  const words = useFilterTexts();
  const [draft, setDraft] = useState(text);
  const written = draft.trim();
  return (
    <FilterForm title={words.expert} back={back} isEmpty={written === ''} submit={() => done(written)}>
      <Field
        type="search"
        label={words.expert}
        hint={words.expertHint}
        {...textInput(draft, setDraft)}
        autoFocus
      />
    </FilterForm>
  );
}

interface UnknownProps {
  text: string;
  asked: readonly Asked[];
  replace(filters: readonly string[]): void;
}

/** A text that is no filter, with the questions and choices that it may mean. */
function Unknown({ text, asked, replace }: UnknownProps) {
  const words = useFilterTexts();
  const common = useCommonTexts();
  const filters = asked.map((each) => ({ ...askedFilter(each, replace), set: [] }));
  return (
    <div className={styles.hint} role="status">
      <ForeignText>{words.noFilter(text)}</ForeignText>
      {likelyFor(asked, text).map(({ asked: { field, title }, choice }) =>
        choice === null ? (
          <FilterPicker
            key={field}
            filters={filters}
            label={<ForeignText isCut>{title}</ForeignText>}
            first={field}
          />
        ) : (
          <Button
            key={`${field} ${choice[0]}`}
            onClick={() => replace([writeFilter({ field, operator: ':', values: [choice[0]] })])}
          >
            <ForeignText isCut>{words.is(title, choice[1])}</ForeignText>
          </Button>
        ),
      )}
      <Button look="quiet" aria-label={common.remove(text)} onClick={() => replace([])}>
        ✕
      </Button>
    </div>
  );
}
