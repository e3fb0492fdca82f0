import type { components } from '@canvass/client';
import { Badge, Field, ForeignText, Panel, State, Table, type Column } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { usePreferences } from '../../i18n';
import { Answer } from '../answer';
import { get } from '../api';
import { Checks } from '../check';
import { ChoiceField } from '../choice-field';
import { column } from '../columns';
import { useListState } from '../list-state';
import lists from '../list.module.css';
import styles from './data-lists.module.css';
import { localeName, namedLocales } from './known-languages';
import { labelColumns, ListFrame, ofLocale, type DataList } from './list-frame';
import { useListTexts } from '../data-list-texts';

type Answered = components['schemas']['FoundItemPage'];
type Found = Answered['items'][number];
type Mode = 'Contains' | 'StartsWith' | 'Exact';

/** The number of hits that a form shows at once. */
const shownHits = 25;
/** Further languages that a search may have. */
const maxIncluded = 8;

/** The search as a respondent has it, with the piece that matched. */
export default function TrySearchPage() {
  return <ListFrame>{(list) => <TrySearch list={list} />}</ListFrame>;
}

function TrySearch({ list }: { list: DataList }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const state = useListState();
  const typed = state.filter('query');
  const matchMode = (state.filter('mode') || 'Contains') as Mode;
  const locale = state.filter('locale') || list.defaultLocale;
  const included = state.filter('include').split(',').filter(Boolean);
  // Typing stays fast while an answer is drawn; the query cancels those that are too late.
  const query = useDeferredValue({
    query: typed,
    matchMode,
    locale,
    includeLocales: included,
    explain: true,
    pageSize: shownHits,
  });
  const hits = useQuery({
    queryKey: ['try-search', list.id, list.revision, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get('/api/data-lists/{id}/items', { path: { id: list.id }, query }, signal),
  });
  const hitsOf = ({ items, totalRecords }: Answered) =>
    texts.hits(items.length.toLocaleString(language), totalRecords.toLocaleString(language));
  const locales = labelColumns(list).map((column) => column.locale);
  const others = locales.filter((own) => own !== locale);
  return (
    <div className={lists.side}>
      <p className={lists.soft}>{texts.trySearchLead}</p>
      <div className={styles.search}>
        <Field
          label={texts.searchQuery}
          type="search"
          autoFocus
          value={typed}
          {...ofLocale(locale)}
          onChange={(event) => state.setFilters({ query: event.target.value })}
        />
        <ChoiceField
          label={texts.matchMode}
          value={matchMode}
          choices={{
            Contains: texts.modeContains,
            StartsWith: texts.modeStartsWith,
            Exact: texts.modeExact,
          }}
          choose={(mode) => state.setFilters({ mode })}
        />
        <ChoiceField
          label={texts.searchLocale}
          value={locale}
          choices={Object.fromEntries(locales.map((own) => [own, localeName(own, language)]))}
          choose={(own) => state.setFilters({ locale: own })}
        />
      </div>
      {locales.length > 1 && (
        <fieldset>
          <legend>{texts.alsoSearched}</legend>
          <div className={styles.searchedToo}>
            <Checks
              choices={namedLocales(others, language)}
              chosen={included}
              setChosen={(next) => state.setFilters({ include: next.join(',') })}
              max={maxIncluded}
            />
          </div>
        </fieldset>
      )}
      <Panel title={hits.data ? hitsOf(hits.data) : texts.tabTrySearch} busy={hits.isFetching}>
        <Answer query={hits} operation="listDataListItems">
          {({ items }) =>
            items.length === 0 ? (
              <State title={texts.noHits}>{texts.noHitsHint}</State>
            ) : (
              <Hits list={list} items={items} locale={locale} />
            )
          }
        </Answer>
      </Panel>
    </div>
  );
}

function Hits({ list, items, locale }: { list: DataList; items: readonly Found[]; locale: string }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const own = locale === list.defaultLocale ? 'default' : locale;
  const localeOf = (key: string) => (key === 'default' ? list.defaultLocale : key);
  const ranks = { exact: texts.rankExact, prefix: texts.rankPrefix, contains: texts.rankContains };
  const columns: Column<Found>[] = [
    column('label', localeName(locale, language), (item) => {
      const key = item.labels[own] === undefined ? 'default' : own;
      return <Marked item={item} textKey={key} locale={localeOf(key)} />;
    }),
    column('value', texts.listValue, (item) => (
      <code>
        <Marked item={item} textKey="value" />
      </code>
    )),
    column('matched', texts.matchedIn, (item) => {
      const key = item.match?.key;
      if (key === undefined) return <span className={lists.soft}>–</span>;
      if (key === 'value') return texts.listValue;
      const isShown = key === (item.labels[own] === undefined ? 'default' : own);
      return (
        <span>
          {localeName(localeOf(key), language)}
          {!isShown && ': '}
          {!isShown && <Marked item={item} textKey={key} locale={localeOf(key)} />}
        </span>
      );
    }),
    column('rank', texts.rank, ({ match }) =>
      match ? <Badge tone={match.rank === 'exact' ? 'good' : 'none'}>{ranks[match.rank]}</Badge> : '–',
    ),
  ];
  return <Table label={texts.tabTrySearch} columns={columns} rows={items} keyOf={({ value }) => value} />;
}

/** A text of an item with the piece that matched, if it is the text that matched best. */
function Marked({ item, textKey, locale }: { item: Found; textKey: string; locale?: string }) {
  const text = textKey === 'value' ? item.value : (item.labels[textKey] ?? '');
  const { match } = item;
  const attributes = locale === undefined ? {} : ofLocale(locale);
  if (!match || match.key !== textKey)
    return (
      <span {...attributes}>
        <ForeignText>{text}</ForeignText>
      </span>
    );
  return (
    <span {...attributes} className={styles.marked}>
      <ForeignText>{text.slice(0, match.start)}</ForeignText>
      <mark>
        <ForeignText>{text.slice(match.start, match.end)}</ForeignText>
      </mark>
      <ForeignText>{text.slice(match.end)}</ForeignText>
    </span>
  );
}
