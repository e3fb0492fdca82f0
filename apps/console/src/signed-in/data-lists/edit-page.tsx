import type { components } from '@canvass/client';
import { Button, buttonClass, Notice, Panel, State, toast } from '@canvass/console-ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Fault } from '../../api';
import { usePreferences } from '../../i18n';
import { FaultNotice } from '../action';
import { Answer } from '../answer';
import { api, dataOf, get } from '../api';
import { useListTexts } from '../data-list-texts';
import { emptyRow, faultsOf, itemsOf, maxEdited, rowsOf, type RowFault } from './edited-rows';
import { EditedTable } from './edited-table';
import { localeName } from './known-languages';
import { labelColumns, ListFrame } from './list-frame';

type WithItems = components['schemas']['DataListWithItems'];

/** The items of a small list as a table. It is saved as one import. */
export default function EditPage() {
  return <ListFrame>{({ id, itemsCount }) => <Editor key={id} listId={id} count={itemsCount} />}</ListFrame>;
}

function Editor({ listId, count }: { listId: string; count: number }) {
  const texts = useListTexts();
  const [isSmall] = useState(count <= maxEdited);
  // Read once: what another person saves meanwhile must not get into the rows that are edited.
  const list = useQuery({
    queryKey: ['edited-items', listId],
    enabled: isSmall,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    queryFn: ({ signal }) =>
      get('/api/data-lists/{id}', { path: { id: listId } }, signal) as Promise<WithItems>,
  });
  if (!isSmall) {
    const ways = (
      <Link href={`/data-lists/${listId}/import`} className={buttonClass}>
        {texts.tabImport}
      </Link>
    );
    return (
      <State title={texts.tooManyToEdit(maxEdited)} actions={ways}>
        {texts.tooManyToEditHint}
      </State>
    );
  }
  return (
    <Answer query={list} operation="getDataList">
      {(data) => <Rows key={data.revision} list={data} reload={() => void list.refetch()} />}
    </Answer>
  );
}

function Rows({ list, reload }: { list: WithItems; reload(): void }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const cache = useQueryClient();
  const columns = labelColumns(list).map(({ key, locale }) => ({
    key,
    locale,
    title: localeName(locale, language),
  }));
  const keys = columns.map(({ key }) => key);
  const [saved, setSaved] = useState(() => ({ revision: list.revision, items: list.items ?? [] }));
  const [rows, setRows] = useState(() =>
    saved.items.length > 0 ? rowsOf(saved.items, keys) : [emptyRow(keys.length + 1)],
  );
  const [shown, setShown] = useState<readonly RowFault[]>([]);
  const items = itemsOf(rows, keys);
  const isChanged = JSON.stringify(items) !== JSON.stringify(itemsOf(rowsOf(saved.items, keys), keys));
  useWarning(isChanged);
  const save = useMutation({
    mutationFn: () =>
      dataOf(
        api.PUT('/api/data-lists/{id}/import', {
          params: { path: { id: list.id } },
          headers: { 'If-Match': `"${saved.revision}"` },
          body: { items },
        }),
      ),
    onSuccess: ({ revision }) => {
      setSaved({ revision, items });
      toast(texts.saved(revision));
      return cache.invalidateQueries({ queryKey: ['data-list', list.id] });
    },
  });
  const isRefused = save.error instanceof Fault && save.error.status === 412;
  const isTooLong = items.length > maxEdited;
  const start = () => {
    const faults = faultsOf(rows);
    setShown(faults);
    if (faults.length === 0) save.mutate();
  };
  const messages = {
    'value missing': texts.valueMissing,
    'value repeated': texts.valueRepeated,
    'label missing': texts.labelMissing,
  };
  return (
    <Panel
      title={texts.listItems}
      busy={save.isPending}
      tools={
        <Button
          look="primary"
          disabled={!isChanged || isTooLong || isRefused || save.isPending}
          onClick={start}
        >
          {texts.save}
        </Button>
      }
    >
      {isTooLong && <Notice tone="bad">{texts.tooManyToEdit(maxEdited)}</Notice>}
      {isRefused && (
        <Notice tone="warn">
          {texts.editConflict} <Button onClick={reload}>{texts.editReload}</Button>
        </Notice>
      )}
      {!isRefused && <FaultNotice fault={save.error} />}
      {shown.length > 0 && (
        <Notice tone="bad">
          {shown
            .slice(0, 5)
            .map(({ row, rule }) => `${texts.row} ${row + 1}: ${messages[rule]}`)
            .join(' ')}
        </Notice>
      )}
      <EditedTable columns={columns} rows={rows} faults={shown} setRows={setRows} />
    </Panel>
  );
}

/** The browser asks before a window with changes is closed. */
function useWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}
