import type { components } from '@canvass/client';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { get } from '../api';
import { Author } from '../author';
import { column, foreignColumn, numberColumn, timeColumn } from '../columns';
import { JobState } from '../job-state';
import { useJobTexts } from '../job-texts';
import { useKeyRows } from '../key-rows';
import { useListState } from '../list-state';
import { Page } from '../page';
import { usePlainFilters } from '../plain-filters';
import { RecordGrid } from '../record-grid';
import { useWebhookTexts } from '../webhook-texts';
import { useDeskTexts } from './texts';

type Recovery = components['schemas']['WebhookRecovery'];

/** Recoveries: who sent what again, why, and how it ended. */
export default function RecoveriesPage() {
  const texts = useTexts();
  const own = useDeskTexts();
  const webhook = useWebhookTexts();
  const list = useListState();
  const columns = useColumns();
  const { states } = useJobTexts();
  const status = list.filter('status');
  const filter = status === '' ? {} : { status: status as Recovery['status'] };
  const rows = useKeyRows<Recovery>({
    queryKey: ['recoveries', filter],
    refetchInterval: 5_000,
    read: (place, signal) => get('/api/webhooks/recoveries', { query: { ...filter, ...place } }, signal),
  });
  const filters = usePlainFilters(list, [
    { name: 'status', title: webhook.status, kind: 'one', choices: states },
  ]);
  return (
    <Page title={texts.recoveries} lead={<Link href="/deliveries">{texts.deliveries}</Link>}>
      <RecordGrid
        screen="recoveries"
        hasViews
        filters={filters}
        list={rows}
        operation="listWebhookRecoveries"
        label={texts.recoveries}
        columns={columns}
        nothing={{ title: own.noRecoveries, hint: own.noRecoveriesHint }}
      />
    </Page>
  );
}

function useColumns(): GridColumn<Recovery>[] {
  const own = useDeskTexts();
  const webhook = useWebhookTexts();
  const { language } = usePreferences();
  return useMemo(
    () => [
      timeColumn('createdAt', own.started, ({ createdAt }) => createdAt, { isLink: true }),
      column(
        'status',
        webhook.status,
        ({ status, failedAgain }) => <JobState state={status} counts={{ failedAgain }} />,
        { width: 165, text: ({ status }) => status },
      ),
      ...(
        [
          ['total', own.total, 90],
          ['delivered', own.delivered, 105],
          ['failedAgain', own.failedAgain, 140],
          ['skipped', own.skipped, 130],
        ] as const
      ).map(([key, title, width]) =>
        numberColumn(key, title, (row: Recovery) => row[key].toLocaleString(language), {
          width,
          isHidden: key === 'skipped',
          text: (row: Recovery) => String(row[key]),
        }),
      ),
      column('startedBy', own.startedBy, (row) => <Author of={row.startedBy} />, {
        width: 195,
        text: ({ startedBy }) => startedBy?.subject ?? '–',
      }),
      foreignColumn('reason', own.reason, ({ reason }) => reason, { width: 215 }),
      timeColumn('finishedAt', own.finished, ({ finishedAt }) => finishedAt, { isHidden: true }),
    ],
    [own, webhook, language],
  );
}
