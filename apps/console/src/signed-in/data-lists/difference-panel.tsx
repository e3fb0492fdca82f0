import type { components } from '@canvass/client';
import { Button, ForeignText, Panel, State, Table, type Column } from '@canvass/console-ui';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { usePreferences } from '../../i18n';
import { Answer } from '../answer';
import { column } from '../columns';
import { SearchBox } from '../list-parts';
import styles from './data-lists.module.css';
import { Label, labelColumns, type DataList } from './list-frame';
import { useListTexts } from '../data-list-texts';

export type DifferencePage = components['schemas']['DifferencePage'];
type Changed = components['schemas']['ItemDifference'];

const kinds = ['changed', 'added', 'removed', 'unchanged'] as const;
export type Kind = (typeof kinds)[number];

/** Parameters of a page of a difference. */
export interface DifferenceAsked {
  kind: Kind;
  query: string;
  limit: number;
  after?: string;
  counts: boolean;
}

interface DifferencePanelProps {
  title: string;
  list: DataList;
  /** Names what is compared, for the cache. */
  name: readonly unknown[];
  operation: string;
  read(asked: DifferenceAsked, signal: AbortSignal): Promise<DifferencePage>;
}

const pageSize = 50;

/** A difference of two versions of the items: by kind, searchable, to its end. */
export function DifferencePanel({ title, list, name, operation, read }: DifferencePanelProps) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const [chosen, setChosen] = useState<Kind | null>(null);
  const [query, setQuery] = useState('');
  const counts = useQuery({
    queryKey: ['difference counts', ...name],
    queryFn: ({ signal }) => read({ kind: 'changed', query: '', limit: 1, counts: true }, signal),
  });
  const numbers = counts.data?.counts ?? null;
  const kind = chosen ?? kinds.find((own) => (numbers?.[own] ?? 0) > 0) ?? 'changed';
  const pages = useInfiniteQuery({
    queryKey: ['difference', ...name, kind, query],
    enabled: numbers !== null,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: DifferencePage) => next ?? undefined,
    queryFn: ({ signal, pageParam }) =>
      read(
        { kind, query, limit: pageSize, counts: false, ...(pageParam !== undefined && { after: pageParam }) },
        signal,
      ),
  });
  // The service looks at a part of the items in one request, which may have none of the kind.
  const { hasNextPage, isFetching, fetchNextPage, data } = pages;
  const isEmpty = data?.pages.at(-1)?.items.length === 0;
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetching) void fetchNextPage();
  }, [isEmpty, hasNextPage, isFetching, fetchNextPage]);
  const columns: Column<Changed>[] = [
    column('value', texts.listValue, ({ value }) => (
      <code>
        <ForeignText isCut>{value}</ForeignText>
      </code>
    )),
    column('labels', texts.listLocales, (item) => <Labels item={item} list={list} />),
  ];
  return (
    <Panel
      title={title}
      busy={pages.isFetching || counts.isFetching}
      tools={
        <SearchBox
          label={texts.differenceQuery}
          placeholder={texts.differenceQuery}
          value={query}
          setValue={setQuery}
        />
      }
    >
      <Answer query={counts} operation={operation}>
        {() => (
          <>
            <div className={styles.bar} role="group" aria-label={title}>
              {kinds.map((own) => (
                <Button key={own} look="quiet" aria-pressed={own === kind} onClick={() => setChosen(own)}>
                  {texts[own]} <strong>{(numbers?.[own] ?? 0).toLocaleString(language)}</strong>
                </Button>
              ))}
            </div>
            <Answer query={pages} operation={operation}>
              {({ pages: loaded }) => {
                const rows = loaded.flatMap(({ items }) => items);
                return (
                  <>
                    {rows.length === 0 && !hasNextPage ? (
                      <State title={texts.noDifference}>{texts.noDifferenceHint}</State>
                    ) : (
                      <Table label={texts[kind]} columns={columns} rows={rows} keyOf={({ value }) => value} />
                    )}
                    {hasNextPage && (
                      <div className={styles.bar}>
                        <Button disabled={pages.isFetchingNextPage} onClick={() => void fetchNextPage()}>
                          {texts.moreItems}
                        </Button>
                      </div>
                    )}
                  </>
                );
              }}
            </Answer>
          </>
        )}
      </Answer>
    </Panel>
  );
}

/** The labels that differ, each before and after; all labels of an item that is in one version only. */
function Labels({ item: { before, after }, list }: { item: Changed; list: DataList }) {
  const texts = useListTexts();
  const present = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  // In the order of the list; a former version may have other languages.
  const keys = [...new Set([...labelColumns(list).map(({ key }) => key), ...present])].filter((key) =>
    present.has(key),
  );
  const differing = keys.filter((key) => before?.[key] !== after?.[key]);
  return (
    <dl className={styles.labels}>
      {(differing.length > 0 ? differing : keys).map((key) => {
        const locale = key === 'default' ? list.defaultLocale : key;
        const [old, now] = [before?.[key], after?.[key]];
        return (
          <div key={key}>
            <dt>{locale}</dt>
            <dd>
              {old !== undefined && old !== now && (
                <del aria-label={`${texts.before}: ${old}`}>
                  <Label locale={locale}>{old}</Label>
                </del>
              )}
              {now !== undefined &&
                (old === now ? (
                  <Label locale={locale}>{now}</Label>
                ) : (
                  <ins aria-label={`${texts.after}: ${now}`}>
                    <Label locale={locale}>{now}</Label>
                  </ins>
                ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
