import type { components } from '@canvass/client';
import { Button, Field, Notice, Panel, State, Table, type Column } from '@canvass/console-ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { useFaultText } from '../../fault-text';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { RadioPanel } from '../check';
import { column, foreignColumn, numberColumn } from '../columns';
import { deliveriesPath } from '../deliveries-path';
import { useDeliveryColumns } from '../delivery-columns';
import { useDeliveryTexts } from '../delivery-texts';
import { Facts } from '../facts';
import { useFormats } from '../formats';
import { textInput } from '../fields';
import lists from '../list.module.css';
import { useListState } from '../list-state';
import { Moment } from '../moment';
import { Page } from '../page';
import styles from './desk.module.css';
import { filterOf } from './filter';
import { useDeskTexts } from './texts';
import { useEndpoints } from '../use-endpoints';

type Body = components['schemas']['WebhookRecoveryBody'];
type Plan = components['schemas']['WebhookRecoveryPlan'];
type Mode = Body['mode'];

/** Sends deliveries again: first what would happen, then the job. */
export default function RecoverPage() {
  const texts = useTexts();
  const own = useDeskTexts();
  const list = useListState();
  const state = useHistoryState<{ deliveryIds?: string[] } | null>();
  const [mode, setMode] = useState<Mode>('failed');
  const filter = filterOf(list.filter);
  const ids = state?.deliveryIds;
  const body = { mode, ...(ids === undefined ? { filter } : { deliveryIds: ids }) } as Body;
  const plan = useQuery({
    queryKey: ['recovery plan', body],
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/api/webhooks/recoveries', { params: { query: { dryRun: true } }, body, signal }),
      ) as Promise<Plan>,
  });
  // Messages that were never sent are found for an endpoint.
  const { missing, ...others } = own.modes;
  const modes = (filter['endpointId'] === undefined ? others : { ...others, missing }) as Record<
    Mode,
    string
  >;
  const back = <Link href={deliveriesPath(filter)}>{texts.deliveries}</Link>;
  return (
    <Page title={own.recoverTitle} lead={back}>
      <RadioPanel title={own.mode} choices={modes} value={mode} choose={setMode} />
      <Panel title={own.plan} busy={plan.isFetching}>
        <Answer query={plan} operation="startWebhookRecovery">
          {(data) =>
            data.count === 0 ? (
              <State title={own.planNothing}>
                {own.planNothingHint} {data.skipped > 0 && own.planSkipped(String(data.skipped))}
              </State>
            ) : (
              // Another plan is another request with a key of its own.
              <PlanOf key={JSON.stringify(body)} plan={data} body={body} />
            )
          }
        </Answer>
      </Panel>
    </Page>
  );
}

function PlanOf({ plan, body }: { plan: Plan; body: Body }) {
  const { ofFault } = useFaultText();
  const own = useDeskTexts();
  const { outcomes } = useDeliveryTexts();
  const { event, status, endpoint, created } = useDeliveryColumns();
  const { number } = useFormats();
  const [, navigate] = useLocation();
  const { data: endpoints = [] } = useEndpoints();
  const [reason, setReason] = useState('');
  // A repetition after a lost answer starts nothing twice.
  const [key] = useState(() => crypto.randomUUID());
  const start = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/webhooks/recoveries', {
          params: { header: { 'Idempotency-Key': key } },
          body: { ...body, ...(reason.trim() !== '' && { reason: reason.trim() }) },
        }),
      ) as Promise<{ id: string }>,
    onSuccess: ({ id }) => navigate(`/recoveries/${id}`),
  });
  const seconds = (endpointId: string, count: number) => {
    const limit = endpoints.find(({ id }) => id === endpointId)?.maxPerSecond ?? null;
    return limit === null ? '–' : `${number(Math.ceil(count / limit))} s`;
  };
  const byEndpoint: Column<Plan['byEndpoint'][number]>[] = [
    foreignColumn('url', own.byEndpoint, ({ url }) => url),
    numberColumn('count', own.count, ({ count }) => number(count)),
    numberColumn('time', own.atLeast, ({ endpointId, count }) => seconds(endpointId, count)),
  ];
  const byOutcome: Column<Plan['byOutcome'][number]>[] = [
    column('outcome', own.byOutcome, ({ outcome }) =>
      outcome === null ? own.noAttempts : (outcomes[outcome] ?? outcome),
    ),
    numberColumn('count', own.count, ({ count }) => number(count)),
  ];
  const sample: Column<Plan['sample'][number]>[] = [
    { ...event, title: own.sample },
    status,
    endpoint,
    created,
  ];
  return (
    <>
      <Facts
        facts={[
          [own.count, <strong>{own.planCount(number(plan.count))}</strong>],
          plan.skipped > 0 && ['', own.planSkipped(number(plan.skipped))],
          [own.oldest, <Moment at={plan.oldest} />],
          [own.newest, <Moment at={plan.newest} />],
        ]}
      />
      <Table
        label={own.byEndpoint}
        columns={byEndpoint}
        rows={plan.byEndpoint}
        keyOf={({ endpointId }) => endpointId}
      />
      <Table
        label={own.byOutcome}
        columns={byOutcome}
        rows={plan.byOutcome}
        keyOf={({ outcome }) => String(outcome)}
      />
      <Table label={own.sample} columns={sample} rows={plan.sample} keyOf={({ id }) => id} />
      <div className={lists.work}>
        <div className={styles.wide}>
          <Field
            label={own.reasonOptional}
            hint={own.reasonHint}
            {...textInput(reason, setReason)}
            maxLength={500}
          />
        </div>
        <span className={lists.row}>
          <Button look="primary" disabled={start.isPending} onClick={() => start.mutate()}>
            {own.start(number(plan.count))}
          </Button>
        </span>
        {start.error !== null && (
          <Notice tone="bad">
            {own.refused} {ofFault(start.error)}
          </Notice>
        )}
      </div>
    </>
  );
}
