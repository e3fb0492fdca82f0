import { Button, ForeignText } from '@canvass/console-ui';
import { useTexts } from '../../i18n';
import { ChoiceFilter, FilterBar, OneOf, TimeFilter } from '../filters';
import filterStyles from '../filters.module.css';
import { FilterBox } from '../list-parts';
import type { useListState } from '../list-state';
import { may, useMe } from '../me';
import { isFilter, likelyFor, type Asked } from './asked';
import { filterNames } from './filter';
import { FilterPicker } from './filter-picker';
import { writeFilter } from './filter-text';
import { useFilterTexts, wordsOf } from './filter-texts';
import styles from './picker.module.css';
import { collectionNames, reviewNames } from './submission-status';
import { useSubmissionTexts } from './texts';

export interface SubmissionFiltersProps {
  list: ReturnType<typeof useListState>;
  /** What one can pick. */
  asked: readonly Asked[];
  /** The placeholder of the filter by display id. */
  placeholder: string;
}

/** The filters of the submissions, which are in the URL. */
export function SubmissionFilters(props: SubmissionFiltersProps) {
  const { list, asked, placeholder } = props;
  const texts = useTexts();
  const own = useSubmissionTexts();
  const where = list.filters('where');
  const isSet = where.length > 0 || filterNames.some((name) => list.filter(name) !== '');
  const set = (name: (typeof filterNames)[number]) => (value: string) => list.setFilters({ [name]: value });
  const words = useFilterTexts();
  const [written, unknown] = [true, false].map((is) =>
    where.filter((text) => isFilter(text, asked) === is),
  ) as [string[], string[]];
  /** Adds filters in the place of one, if there is one. */
  const add = (filters: string[], before?: string) => {
    const at = before === undefined ? where.length : where.indexOf(before);
    list.setAll('where', [...new Set([...where.slice(0, at), ...filters, ...where.slice(at + 1)])]);
  };
  return (
    <FilterBar clear={isSet ? list.clear : null}>
      <FilterBox
        label={texts.filterByDisplayId}
        placeholder={placeholder}
        value={list.filter('search')}
        setValue={set('search')}
      />
      <ChoiceFilter
        title={texts.reviewStatus}
        choices={reviewNames(texts)}
        value={list.filter('status')}
        setValue={set('status')}
      />
      <ChoiceFilter
        title={texts.collectionStatus}
        choices={collectionNames(texts)}
        value={list.filter('collection')}
        setValue={set('collection')}
      />
      <OneOf
        title={own.isTest}
        choices={{ '': own.withTests, false: own.withoutTests, true: own.onlyTests }}
        value={list.filter('test')}
        setValue={set('test')}
      />
      {may(useMe(), 'restoreSubmission') && (
        <OneOf
          title={own.deleted}
          choices={{ '': own.notDeleted, true: own.onlyDeleted }}
          value={list.filter('deleted')}
          setValue={set('deleted')}
        />
      )}
      <TimeFilter title={own.from} value={list.filter('from')} setValue={set('from')} />
      <TimeFilter title={own.to} value={list.filter('to')} setValue={set('to')} />
      <FilterPicker asked={asked} label={words.add} setFilters={(filters) => add(filters)} />
      {written.map((text) => {
        const said = wordsOf(text, asked, words);
        return (
          <span key={text} className={styles.chip}>
            <FilterPicker
              asked={asked}
              label={<ForeignText isCut>{said}</ForeignText>}
              name={words.edit(said)}
              className={filterStyles.set}
              present={text}
              setFilters={(filters) => add(filters, text)}
            />
            <Button
              className={filterStyles.set}
              aria-label={words.remove(said)}
              onClick={() => add([], text)}
            >
              ✕
            </Button>
          </span>
        );
      })}
      {unknown.map((text) => (
        <Unknown key={text} text={text} asked={asked} replace={(filters) => add(filters, text)} />
      ))}
    </FilterBar>
  );
}

interface UnknownProps {
  text: string;
  asked: readonly Asked[];
  replace(filters: string[]): void;
}

/** A text that is no filter, with the questions and choices that it may mean. */
function Unknown({ text, asked, replace }: UnknownProps) {
  const words = useFilterTexts();
  return (
    <div className={styles.hint} role="status">
      <ForeignText>{words.noFilter(text)}</ForeignText>
      {likelyFor(asked, text).map(({ asked: { field, title }, choice }) =>
        choice === null ? (
          <FilterPicker
            key={field}
            asked={asked}
            label={<ForeignText isCut>{title}</ForeignText>}
            present={field}
            setFilters={replace}
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
      <Button look="quiet" aria-label={words.remove(text)} onClick={() => replace([])}>
        ✕
      </Button>
    </div>
  );
}
