import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePreferences } from '../../i18n';
import { get } from '../api';
import { useConfiguration } from '../configuration';
import { may, useMe } from '../me';
import { askedOf, profileAsked, type Asked } from './asked';
import { useCheckTexts } from './check-texts';
import { readFilter } from './filter-text';
import { useFilterTexts } from './filter-texts';

/**
 * What one can filter the submissions of a form by: its questions, the check, and stored profile fields.
 *
 * @param filters in the grammar of the API; the values that they name of data lists become choices
 */
export function useAsked(definition: unknown, filters: readonly string[]): readonly Asked[] {
  const { language } = usePreferences();
  const { submitterGridProfileFields: shown, storedProfileFields: stored } = useConfiguration();
  const texts = useFilterTexts();
  const checks = useCheckTexts();
  const asked = useMemo(
    (): Asked[] => [
      ...askedOf(definition, language, texts),
      {
        field: 'answerCheck',
        title: checks.check,
        kind: 'choices',
        choices: Object.entries(checks.checks),
        list: '',
      },
      ...[...new Set([...shown, ...stored])].map(profileAsked),
    ],
    [definition, language, shown, stored, texts, checks],
  );
  return useListChoices(asked, filters);
}

interface ListItem {
  value: string;
  labels: Record<string, string>;
}

interface ItemsQuery {
  query: string;
  locale: string;
  matchMode?: 'Exact';
}

/** Items of a data list that match a query, at most ten. */
export const findItems = (
  list: string,
  query: ItemsQuery,
  signal: AbortSignal,
): Promise<{ items: ListItem[] }> =>
  get('/api/data-lists/{id}/items', { path: { id: list }, query: { pageSize: 10, ...query } }, signal);

/** The label of an item in a language. */
export const labelIn = ({ value, labels }: ListItem, language: string): string =>
  labels[language] ?? labels['default'] ?? value;

/** Adds the values that filters name of data lists to the choices of their questions. */
function useListChoices(asked: readonly Asked[], filters: readonly string[]): readonly Asked[] {
  const me = useMe();
  const { language } = usePreferences();
  const isPermitted = may(me, 'listDataListItems');
  const all = filters.flatMap((text) => {
    const filter = readFilter(text);
    const own = asked.find(({ field }) => field === filter?.field);
    if (filter === null || own === undefined || own.list === '' || !isPermitted) return [];
    const known = new Set<string | null>([null, ...own.choices.map(([value]) => value)]);
    return filter.values.flatMap((value) => (known.has(value) ? [] : [{ list: own.list, value: value! }]));
  });
  // Two filters, or two questions with one list, may name the same value.
  const named = [...new Map(all.map((each) => [`${each.list} ${each.value}`, each])).values()];
  const found = useQueries({
    queries: named.map(({ list, value }) => ({
      queryKey: ['list-value', list, value, language],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        findItems(list, { query: value, matchMode: 'Exact', locale: language }, signal),
    })),
  });
  const choices = named.flatMap(({ list, value }, n) => {
    const item = found[n]?.data?.items.find((each) => each.value === value);
    return item === undefined ? [] : [{ list, choice: [value, labelIn(item, language)] as [string, string] }];
  });
  if (choices.length === 0) return asked;
  return asked.map((each) => ({
    ...each,
    choices: [
      ...each.choices,
      ...choices.filter(({ list }) => list === each.list).map(({ choice }) => choice),
    ],
  }));
}
