import { buttonClass, Spark } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { column, foreignColumn, numberColumn, timeColumn } from '../columns';
import { useFormats } from '../formats';
import { EndpointState, troubleOf } from '../endpoint-state';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import { Page } from '../page';
import { usePlainFilters } from '../plain-filters';
import lists from '../list.module.css';
import { RecordGrid } from '../record-grid';
import { useWebhookTexts } from '../webhook-texts';
import { useEndpointTexts } from './endpoint-texts';
import { useEndpoints, type Endpoint } from '../use-endpoints';
import { failedOf, useBacklog, useStats } from './use-stats';

/** An endpoint with the number of its deliveries that wait. */
type Row = Endpoint & { waiting: number };

/** All endpoints, those in most trouble first. */
export default function EndpointsPage() {
  const texts = useTexts();
  const own = useEndpointTexts();
  const webhook = useWebhookTexts();
  const me = useMe();
  const list = useListState();
  const endpoints = useEndpoints();
  const backlog = useBacklog();
  const columns = useColumns();
  const state = list.filter('state');
  const rows = useMemo(() => {
    const waiting = new Map(backlog.data?.endpoints.map(({ endpointId, waiting: own }) => [endpointId, own]));
    return (endpoints.data ?? [])
      .filter((endpoint) => (state === '' ? endpoint.state !== 'removed' : endpoint.state === state))
      .map((endpoint) => ({ ...endpoint, waiting: waiting.get(endpoint.id) ?? 0 }))
      .sort((a, b) => troubleOf(b) - troubleOf(a) || b.waiting - a.waiting);
  }, [endpoints.data, backlog.data, state]);
  const { enabled, disabled, removed } = webhook.endpointStates;
  const filters = usePlainFilters(list, [
    { name: 'state', title: webhook.status, kind: 'one', choices: { enabled, disabled, removed } },
  ]);
  return (
    <Page
      title={texts.endpoints}
      tools={
        <div className={lists.row}>
          {may(me, 'getWebhookAlertSettings') && (
            <Link href="/webhook-alerts" className={buttonClass}>
              {texts.webhookAlerts}
            </Link>
          )}
          {may(me, 'getTenantWebhookSettings') && (
            <Link href="/webhook-settings" className={buttonClass}>
              {own.settings}
            </Link>
          )}
        </div>
      }
    >
      <RecordGrid
        screen="endpoints"
        hasViews
        filters={filters}
        list={{
          query: endpoints,
          rows: {
            rows,
            start: 0,
            count: rows.length,
            total: rows.length,
            totalIsExact: true,
            load: () => undefined,
          },
          refresh: () => void Promise.all([endpoints.refetch(), backlog.refetch()]),
        }}
        operation="listWebhookEndpoints"
        label={texts.endpoints}
        columns={columns}
        nothing={{ title: own.noEndpoints, hint: own.noEndpointsHint }}
      />
    </Page>
  );
}

function useColumns(): GridColumn<Row>[] {
  const own = useEndpointTexts();
  const webhook = useWebhookTexts();
  const { language } = usePreferences();
  return useMemo(
    () => [
      foreignColumn('url', webhook.endpoint, ({ url }) => url, { width: 320, isLink: true, isPinned: true }),
      column('state', webhook.status, (endpoint) => <EndpointState endpoint={endpoint} />, {
        width: 155,
        text: ({ state }) => state,
      }),
      numberColumn('waiting', own.waiting, ({ waiting }) => waiting.toLocaleString(language), {
        width: 90,
        text: ({ waiting }) => String(waiting),
      }),
      numberColumn('success', own.success, ({ id }) => <Success endpointId={id} />, { width: 120 }),
      numberColumn('p95', own.p95, ({ id }) => <P95 endpointId={id} />, { width: 90 }),
      column('spark', own.attempts24, ({ id }) => <Day endpointId={id} />, { width: 135 }),
      timeColumn('failingSince', own.failingSince, ({ failingSince }) => failingSince),
      column('scope', own.scope, ({ scope }) => own.scopes[scope], {
        isHidden: true,
        text: ({ scope }) => scope,
      }),
    ],
    [own, webhook, language],
  );
}

/** Share of attempts with a 2xx response. */
function Success({ endpointId }: { endpointId: string }) {
  const { share } = useFormats();
  const { data } = useStats(endpointId);
  if (data === undefined || data.total.attempts === 0) return '–';
  return share(1 - failedOf(data.total) / data.total.attempts);
}

function P95({ endpointId }: { endpointId: string }) {
  const { duration } = useFormats();
  const p95 = useStats(endpointId).data?.total.milliseconds.total?.p95;
  return p95 === undefined ? '–' : duration(p95);
}

/** The attempts of the last 24 hours as a small plot. */
function Day({ endpointId }: { endpointId: string }) {
  const own = useEndpointTexts();
  const { number } = useFormats();
  const { data } = useStats(endpointId);
  if (data === undefined) return null;
  return (
    <Spark
      label={own.sparkSentence(number(data.total.attempts), number(failedOf(data.total)))}
      series={[
        { name: 'all', tone: 'soft', isBehind: true, values: data.buckets.map(({ attempts }) => attempts) },
        { name: 'failed', tone: 'bad', values: data.buckets.map(failedOf) },
      ]}
    />
  );
}
