import type { components } from '@canvass/client';
import { Badge, Button, Notice, Panel, SelectField, State, Table, type Column } from '@canvass/console-ui';
import { usePreferences, useTexts } from '../../i18n';
import { FaultNotice } from '../action';
import { Answer } from '../answer';
import { get } from '../api';
import { Author } from '../author';
import { column, numberColumn, timeColumn } from '../columns';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import lists from '../list.module.css';
import styles from './data-lists.module.css';
import { DifferencePanel } from './difference-panel';
import { ListFrame, type DataList } from './list-frame';
import { useVersions } from './use-versions';
import { useListTexts } from '../data-list-texts';

type Version = components['schemas']['DataListVersion'];

/** The versions that are kept: who made them, what changed between any two, and the way back. */
export default function VersionsPage() {
  return <ListFrame>{(list) => <Versions list={list} />}</ListFrame>;
}

function Versions({ list }: { list: DataList }) {
  const texts = useListTexts();
  const all = useTexts();
  const { language } = usePreferences();
  const me = useMe();
  const state = useListState();
  const { versions, restore } = useVersions(list);
  const [from, to] = [Number(state.filter('from')), Number(state.filter('to'))];
  const compare = (one: number, other: number) => state.setFilters({ from: String(one), to: String(other) });
  const columns = (rows: readonly Version[]): Column<Version>[] => [
    column('number', texts.version, ({ number, isCurrent }) => (
      <span className={lists.row}>
        {number}
        {isCurrent && <Badge tone="good">{texts.current}</Badge>}
      </span>
    )),
    column(
      'cause',
      texts.versionCause,
      ({ cause, restoredFrom }) => texts.causes[cause]?.(restoredFrom) ?? cause,
    ),
    column('by', texts.author, ({ createdBy }) => <Author of={createdBy} unknown={texts.unknownAuthor} />),
    numberColumn('items', texts.listItems, ({ itemsCount }) => itemsCount.toLocaleString(language)),
    timeColumn('at', all.createdAt, ({ createdAt }) => createdAt),
    column('compare', texts.compare, ({ number, isCurrent }) => {
      const current = rows.find((row) => row.isCurrent)!;
      const before = rows.find((row) => row.number < number);
      // The current version is compared with the one before it; a former one with what a restore changes.
      const [one, other] = isCurrent ? [before?.number, number] : [current.number, number];
      if (one === undefined) return <span className={lists.soft}>–</span>;
      return (
        <Button aria-label={texts.differenceTitle(one, other)} onClick={() => compare(one, other)}>
          {texts.compare}
        </Button>
      );
    }),
  ];
  return (
    <div className={lists.side}>
      <FaultNotice fault={restore.error} />
      {restore.isSuccess && <Notice tone="good">{texts.restored(restore.variables)}</Notice>}
      <Panel title={texts.tabVersions} busy={versions.isFetching}>
        <Answer query={versions} operation="listDataListVersions">
          {({ items }) =>
            items.length === 0 ? (
              <State title={texts.noVersions}>{texts.noItemsHint}</State>
            ) : (
              <>
                <Table
                  label={texts.tabVersions}
                  columns={columns(items)}
                  rows={items}
                  keyOf={({ number }) => String(number)}
                />
                {items.length > 1 && (
                  <Pair numbers={items.map(({ number }) => number)} from={from} to={to} compare={compare} />
                )}
              </>
            )
          }
        </Answer>
      </Panel>
      {from > 0 && to > 0 && (
        <>
          <DifferencePanel
            title={texts.differenceTitle(from, to)}
            list={list}
            name={['versions', list.id, from, to]}
            operation="getDataListVersionDifference"
            read={(asked, signal) =>
              get(
                '/api/data-lists/{id}/versions/{number}/difference',
                { path: { id: list.id, number: from }, query: { ...asked, to } },
                signal,
              )
            }
          />
          {may(me, 'restoreDataListVersion') &&
            versions.data?.items.some(({ number, isCurrent }) => number === to && !isCurrent) && (
              <div className={styles.actions}>
                <Button
                  look="primary"
                  disabled={restore.isPending}
                  onClick={() =>
                    restore.mutate(to, { onSuccess: () => state.setFilters({ from: '', to: '' }) })
                  }
                >
                  {texts.restoreVersion(to)}
                </Button>
              </div>
            )}
        </>
      )}
    </div>
  );
}

interface PairProps {
  numbers: readonly number[];
  from: number;
  to: number;
  compare(from: number, to: number): void;
}

/** Any two versions. */
function Pair({ numbers, from, to, compare }: PairProps) {
  const texts = useListTexts();
  const one = from || numbers[1]!;
  const other = to || numbers[0]!;
  const choice = (label: string, value: number, set: (number: number) => void) => (
    <SelectField label={label} value={value} onChange={(event) => set(Number(event.target.value))}>
      {numbers.map((number) => (
        <option key={number}>{number}</option>
      ))}
    </SelectField>
  );
  return (
    <div className={styles.bar}>
      {choice(texts.compareFrom, one, (number) => compare(number, other))}
      {choice(texts.compareTo, other, (number) => compare(one, number))}
    </div>
  );
}
