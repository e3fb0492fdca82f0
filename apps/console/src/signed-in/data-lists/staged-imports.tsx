import { Badge, Panel, Skeleton, Table, type Column, type Tone } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { get } from '../api';
import { column, numberColumn, timeColumn } from '../columns';
import { Moment } from '../moment';
import type { DataList } from './list-frame';
import { useListTexts } from '../data-list-texts';
import type { StagedImport } from '../stage-file';

const tones: Record<StagedImport['state'], Tone> = {
  receiving: 'none',
  ready: 'good',
  rejected: 'bad',
  applied: 'none',
};

/** Files that were checked and are kept. Without one there is nothing to see. */
export function StagedImports({ list }: { list: DataList }) {
  const texts = useListTexts();
  const all = useTexts();
  const { language } = usePreferences();
  const imports = useQuery({
    queryKey: ['imports', list.id],
    queryFn: ({ signal }) =>
      get('/api/data-lists/{id}/imports', { path: { id: list.id }, query: { limit: 20 } }, signal),
  });
  if (imports.isPending) return <Skeleton label={all.loading} rows={2} />;
  const items = imports.data?.items ?? [];
  if (items.length === 0) return null;
  const columns: Column<StagedImport>[] = [
    column('at', all.createdAt, ({ id, createdAt }) => (
      <Link href={`/data-lists/${list.id}/import/${id}`}>
        <Moment at={createdAt} />
      </Link>
    )),
    column('state', all.state, ({ state }) => (
      <Badge tone={tones[state]}>{texts.importStates[state] ?? state}</Badge>
    )),
    numberColumn('rows', texts.listItems, ({ rows }) => rows.toLocaleString(language)),
    timeColumn('until', texts.expires, ({ expiresAt }) => expiresAt),
  ];
  return (
    <Panel title={texts.stagedImports} busy={imports.isFetching}>
      <Table label={texts.stagedImports} columns={columns} rows={items} keyOf={({ id }) => id} />
    </Panel>
  );
}
