import { useTexts } from '../../i18n';
import { useConfiguration } from '../configuration';
import { Chips, ChoiceFilter, FilterBar, OneOf, TimeFilter } from '../filters';
import { FilterBox } from '../list-parts';
import type { useListState } from '../list-state';
import { may, useMe } from '../me';
import { filterNames } from './filter';
import { collectionNames, reviewNames } from './submission-status';
import { useSubmissionTexts } from './texts';

export interface SubmissionFiltersProps {
  list: ReturnType<typeof useListState>;
  profileFields: readonly string[];
  /** The placeholder of the filter by display id. */
  placeholder: string;
  /** Returns whether the list is in the order of the creation, so that one can go to a time in it. */
}

/** The filters of the submissions, which are in the URL. */
export function SubmissionFilters(props: SubmissionFiltersProps) {
  const { list, profileFields, placeholder } = props;
  const texts = useTexts();
  const own = useSubmissionTexts();
  const where = list.filters('where');
  const isSet = where.length > 0 || filterNames.some((name) => list.filter(name) !== '');
  const set = (name: (typeof filterNames)[number]) => (value: string) => list.setFilters({ [name]: value });
  const { storedProfileFields } = useConfiguration();
  // A filter by any field that is stored works, also if it is no column.
  const field = profileFields[0] ?? storedProfileFields[0];
  const example = field === undefined ? own.whereHint : `submitterProfile.${field}:…`;
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
      <FilterBox
        label={own.where}
        placeholder={example}
        value=""
        setValue={(value) => value !== '' && list.setAll('where', [...new Set([...where, value])])}
      />
      <Chips values={where} removeLabel={own.remove} setValues={(next) => list.setAll('where', next)} />
    </FilterBar>
  );
}
