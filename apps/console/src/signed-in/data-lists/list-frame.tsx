import type { components } from '@canvass/client';
import { ForeignText } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { useChange } from '../action';
import { Answer, isNothing } from '../answer';
import { get } from '../api';
import { AuditLink } from '../audit-link';
import { EnabledBadge } from '../list-parts';
import { Page } from '../page';
import frame from '../frame.module.css';
import { Tabs, type Tab } from '../tabs';
import styles from './data-lists.module.css';
import { maxEdited } from './edited-rows';
import { useListTexts } from '../data-list-texts';

export type DataList = components['schemas']['DataList'];

/** The frame of the pages of the list in the URL: its name, its state, and the way to its other pages. */
export function ListFrame({ children }: { children(list: DataList): ReactNode }) {
  const texts = useListTexts();
  const all = useTexts();
  const [path] = useLocation();
  const { listId = '' } = useParams();
  const base = `/data-lists/${listId}`;
  const list = useQuery({
    queryKey: ['data-list', listId],
    queryFn: ({ signal }) =>
      get('/api/data-lists/{id}', { path: { id: listId }, query: { includeItems: false } }, signal),
  });
  const { data } = list;
  const isThere = !isNothing(list);
  const tabs: Tab[] = [
    ['', texts.tabItems, 'listDataListItems'],
    ['/edit', texts.tabEdit, 'importDataList'],
    ['/search', texts.tabTrySearch, 'listDataListItems'],
    ['/versions', texts.tabVersions, 'listDataListVersions'],
    ['/import', texts.tabImport, 'stageDataListImport'],
    ['/settings', texts.tabSettings, 'getDataList'],
  ];
  const isSmall = data !== undefined && data.itemsCount <= maxEdited;
  const end = path.slice(base.length);
  const [tab, title] = tabs.findLast(([known]) => end.startsWith(known))!;
  const lead = (
    <span className={frame.lead}>
      <Link href="/data-lists">{all.dataLists}</Link>
      {data && <EnabledBadge isEnabled={data.isActive} />}
      {data?.description && <ForeignText isCut>{data.description}</ForeignText>}
      {isThere && <AuditLink type="data_list" id={listId} />}
    </span>
  );
  return (
    <Page
      title={data?.name ?? texts.dataList}
      // A staged import is a page below that of imports.
      part={end === tab ? title : texts.stagedImport}
      lead={lead}
    >
      {isThere && (
        <Tabs
          // The tab of the editor comes late and moves the others; the current one must stay in sight.
          key={String(isSmall)}
          label={texts.listViews}
          base={base}
          tabs={tabs.filter(([own]) => own !== '/edit' || isSmall)}
          current={tab}
        />
      )}
      <Answer query={list} operation="getDataList">
        {children}
      </Answer>
    </Page>
  );
}

/** A change of a list. */
export const useListChange = (
  { id, revision }: DataList,
  change: (headers: { 'If-Match': string }) => Promise<void>,
) => useChange([['data-list', id]], () => change({ 'If-Match': `"${revision}"` }));

const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** The attributes of a label of a language: its language for fonts and screen readers, and its direction. */
export const ofLocale = (locale: string): { lang: string; dir: 'ltr' | 'rtl' } => ({
  lang: locale,
  dir: rightToLeft.has(locale.split('-')[0]!) ? 'rtl' : 'ltr',
});

/** The label keys of a list with their locales; the default locale first. */
export const labelColumns = (list: DataList): { key: string; locale: string }[] => [
  { key: 'default', locale: list.defaultLocale },
  ...list.availableLocales
    .filter((locale) => locale !== list.defaultLocale)
    .map((locale) => ({ key: locale, locale })),
];

/** A label in its own language. */
export function Label({ locale, children }: { locale: string; children: string }) {
  return (
    <span {...ofLocale(locale)} className={styles.label}>
      <ForeignText isCut>{children}</ForeignText>
    </span>
  );
}
