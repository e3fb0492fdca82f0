import { Button, buttonClass, Notice, Panel } from '@canvass/console-ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { Fault } from '../../api';
import { usePreferences } from '../../i18n';
import { FaultNotice } from '../action';
import { Answer } from '../answer';
import { api, dataOf, get } from '../api';
import { Check } from '../check';
import { may, useMe } from '../me';
import { Figures } from '../overview/figures';
import lists from '../list.module.css';
import styles from './data-lists.module.css';
import { DifferencePanel } from './difference-panel';
import { FaultsPanel } from './faults-panel';
import { ListFrame, type DataList } from './list-frame';
import { useVersions } from './use-versions';
import { useListTexts } from '../data-list-texts';
import type { StagedImport } from '../stage-file';

/** Shares of removed items above which one has to confirm. */
const manyRemoved = 0.2;

/** The last steps of an import: its errors, or its difference, and the way back. */
export default function StagedImportPage() {
  return <ListFrame>{(list) => <Staged list={list} />}</ListFrame>;
}

const parts: Record<string, typeof Ready> = { ready: Ready, rejected: FaultsPanel, applied: Applied };

function Staged({ list }: { list: DataList }) {
  const { importId = '' } = useParams();
  const params = { path: { id: list.id, importId } };
  const found = useQuery({
    queryKey: ['import', list.id, importId],
    queryFn: ({ signal }) => get('/api/data-lists/{id}/imports/{importId}', params, signal),
    // Sent from another window: its progress.
    refetchInterval: ({ state }) => (state.data?.state === 'receiving' ? 1_000 : false),
  });
  return (
    <Answer query={found} operation="getDataListImport">
      {(data) => {
        const Part = parts[data.state] ?? Receiving;
        return <Part key={data.id} list={list} staged={data} />;
      }}
    </Answer>
  );
}

function Receiving({ staged: { rows } }: { staged: StagedImport }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  return (
    <Panel title={texts.checking}>
      <p className={lists.note} role="status">
        {texts.listItems}: {rows.toLocaleString(language)}
      </p>
    </Panel>
  );
}

function Ready({ list, staged }: { list: DataList; staged: StagedImport }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const me = useMe();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [isSure, setSure] = useState(false);
  const params = { path: { id: list.id, importId: staged.id } };
  // The difference is that to the list as it is on this page.
  const isStale = list.revision !== staged.revision;
  const read = (queryKey: string[]) => cache.invalidateQueries({ queryKey });
  const apply = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/data-lists/{id}/imports/{importId}/apply', {
          params,
          headers: { 'If-Match': `"${list.revision}"` },
        }),
      ),
    // The import first: an applied one has no difference, which would be asked for again.
    onSuccess: async () => {
      await read(['import', list.id]);
      await read(['data-list', list.id]);
    },
    onError: () =>
      Promise.all([['data-list', list.id], ['difference counts'], ['difference']].map((key) => read(key))),
  });
  const discard = useMutation({
    mutationFn: () => api.DELETE('/api/data-lists/{id}/imports/{importId}', { params }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['imports', list.id] });
      navigate(`/data-lists/${list.id}/import`);
    },
  });
  const removed = staged.difference?.removed ?? 0;
  const asks = list.itemsCount > 0 && removed / list.itemsCount > manyRemoved;
  const isRefused = apply.error instanceof Fault && apply.error.status === 412;
  const error = apply.error ?? discard.error;
  return (
    <div className={lists.side}>
      {(isStale || isRefused) && <Notice tone="warn">{texts.listChanged}</Notice>}
      {!isRefused && <FaultNotice fault={error} />}
      {may(me, 'applyDataListImport') && (
        <div className={styles.actions}>
          {asks && (
            <Check
              label={texts.manyRemoved(
                removed.toLocaleString(language),
                list.itemsCount.toLocaleString(language),
              )}
              isChecked={isSure}
              setChecked={setSure}
            />
          )}
          <Button disabled={discard.isPending} onClick={() => discard.mutate()}>
            {texts.discardImport}
          </Button>
          <Button
            look="primary"
            disabled={(asks && !isSure) || apply.isPending}
            onClick={() => apply.mutate()}
          >
            {staged.mode === 'merge' ? texts.applyMerge : texts.applyImport}
          </Button>
        </div>
      )}
      <DifferencePanel
        title={texts.readyTitle}
        list={list}
        name={['import', staged.id, list.revision]}
        operation="getDataListImportDifference"
        read={(asked, signal) =>
          get('/api/data-lists/{id}/imports/{importId}/difference', { ...params, query: asked }, signal)
        }
      />
    </div>
  );
}

function Applied({ list, staged }: { list: DataList; staged: StagedImport }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const me = useMe();
  const { versions, restore: undo } = useVersions(list);
  const items = versions.data?.items ?? [];
  // Only while the import is the last change of the items.
  const isLast = items[0]?.revision === staged.revision;
  const former = isLast ? items[1]?.number : undefined;
  const kinds = ['added', 'changed', 'removed', 'unchanged'] as const;
  const countOf = (kind: (typeof kinds)[number]) => (staged.difference?.[kind] ?? 0).toLocaleString(language);
  return (
    <div className={lists.side}>
      <FaultNotice fault={undo.error} />
      {undo.isSuccess && <Notice tone="good">{texts.restored(undo.variables)}</Notice>}
      <Panel title={staged.mode === 'merge' ? texts.mergedTitle : texts.appliedTitle}>
        <div className={styles.numbers}>
          <Figures figures={kinds.map((kind) => ({ name: texts[kind], value: countOf(kind) }))} />
        </div>
      </Panel>
      <div className={styles.actions}>
        {former !== undefined && may(me, 'restoreDataListVersion') && (
          <Button disabled={undo.isPending} onClick={() => undo.mutate(former)}>
            {texts.undoImport}
          </Button>
        )}
        <Link href={`/data-lists/${list.id}/import`} className={buttonClass}>
          {texts.otherFile}
        </Link>
        <Link href={`/data-lists/${list.id}`} className={buttonClass}>
          {texts.toItems}
        </Link>
      </div>
    </div>
  );
}
