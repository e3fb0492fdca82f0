import type { components } from '@canvass/client';
import { Badge, ForeignText } from '@canvass/console-ui';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { get } from '../api';
import { AuditLink } from '../audit-link';
import { inSight } from '../in-sight';
import { may, useMe } from '../me';
import { Page } from '../page';
import frame from '../frame.module.css';
import styles from './data-lists.module.css';
import { maxEdited } from './edited-rows';
import { useListTexts, type ListTexts } from '../data-list-texts';

export type DataList = components['schemas']['DataList'];

/** The list of the URL, without its items. */
export function useList(): UseQueryResult<DataList> & { listId: string } {
  const { listId = '' } = useParams();
  const list = useQuery({
    queryKey: ['data-list', listId],
    queryFn: ({ signal }) =>
      get('/api/data-lists/{id}', { path: { id: listId }, query: { includeItems: false } }, signal),
  });
  return { ...list, listId };
}

const tabs: [path: string, title: (texts: ListTexts) => string, operation: string][] = [
  ['', (texts) => texts.tabItems, 'listDataListItems'],
  ['/edit', (texts) => texts.tabEdit, 'importDataList'],
  ['/search', (texts) => texts.tabTrySearch, 'listDataListItems'],
  ['/versions', (texts) => texts.tabVersions, 'listDataListVersions'],
  ['/import', (texts) => texts.tabImport, 'stageDataListImport'],
  ['/settings', (texts) => texts.tabSettings, 'getDataList'],
];

/** The frame of the pages of one list: its name, its state, and the way to its other pages. */
export function ListFrame({
  list,
  children,
}: {
  list: ReturnType<typeof useList>;
  children(list: DataList): ReactNode;
}) {
  const texts = useListTexts();
  const all = useTexts();
  const me = useMe();
  const [path] = useLocation();
  const base = `/data-lists/${list.listId}`;
  const { data } = list;
  const isSmall = data !== undefined && data.itemsCount <= maxEdited;
  const end = path.slice(base.length);
  const [tab, titleOf] = tabs.findLast(([known]) => end.startsWith(known))!;
  const lead = (
    <span className={frame.lead}>
      <Link href="/data-lists">{all.dataLists}</Link>
      {data?.isActive === true && <Badge tone="good">{texts.listActive}</Badge>}
      {data?.isActive === false && <Badge tone="none">{texts.listInactive}</Badge>}
      {data?.description && <ForeignText isCut>{data.description}</ForeignText>}
      <AuditLink type="data_list" id={list.listId} />
    </span>
  );
  return (
    <Page
      title={data?.name ?? texts.dataList}
      // A staged import is a page below that of imports.
      part={end === tab ? titleOf(texts) : texts.stagedImport}
      lead={lead}
    >
      <nav className={frame.tabs} aria-label={texts.listViews}>
        {tabs
          .filter(([own, , operation]) => may(me, operation) && (own !== '/edit' || isSmall))
          .map(([own, title]) => (
            <Link
              // The tab of the editor comes late and moves the others; the current one must stay in sight.
              key={`${own} ${isSmall}`}
              href={`${base}${own}`}
              {...(own === tab && { 'aria-current': 'page', ref: inSight })}
            >
              {title(texts)}
            </Link>
          ))}
      </nav>
      <Answer query={list} operation="getDataList">
        {children}
      </Answer>
    </Page>
  );
}

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
