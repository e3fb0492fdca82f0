import type { components } from '@canvass/client';
import { Button, buttonClass } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { consolePath } from '../../base';
import { useTexts } from '../../i18n';
import { get } from '../api';
import { idColumn, timeColumn } from '../columns';
import { searchOf } from '../deliveries-path';
import { useDeliveryColumns } from '../delivery-columns';
import { useKeyRows } from '../key-rows';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import { Page } from '../page';
import { RecordGrid } from '../record-grid';
import { useSelection } from '../use-selection';
import { useWebhookTexts } from '../webhook-texts';
import { DeliveryBeside } from './delivery-beside';
import { filterOf, type DeliveryQuery } from './filter';
import { useDeskTexts } from './texts';
import { useDeliveryFilters } from './use-delivery-filters';

type Delivery = components['schemas']['WebhookDelivery'];

/** Most deliveries that a recovery may name. */
const maxNamed = 1000;

/** All deliveries of webhooks: what was sent where, and how it ended. */
export default function DeliveriesPage() {
  const texts = useTexts();
  const own = useDeskTexts();
  const me = useMe();
  const [, navigate] = useLocation();
  const list = useListState();
  const columns = useColumns();
  const filter = filterOf(list.filter);
  const rows = useKeyRows<Delivery>({
    queryKey: ['deliveries', filter],
    read: (place, signal) =>
      get('/api/webhooks/deliveries', { query: { ...(filter as DeliveryQuery), ...place } }, signal),
  });
  const [selection, setSelection] = useSelection(filter);
  const mayRecover = may(me, 'startWebhookRecovery');
  const recoverShown = `/deliveries/recover?${searchOf(filter)}`;
  const recoverSelected = () =>
    selection.isAll
      ? navigate(recoverShown)
      : navigate('/deliveries/recover', { state: { deliveryIds: [...selection.keys] } });
  const isTooMany = !selection.isAll && selection.keys.size > maxNamed;
  const finding = useDeliveryFilters(list);
  return (
    <Page
      title={texts.deliveries}
      tools={
        mayRecover && (
          <Link href={recoverShown} className={buttonClass}>
            {own.recoverShown}
          </Link>
        )
      }
    >
      <RecordGrid
        screen="deliveries"
        hasViews
        {...finding}
        list={rows}
        operation="listWebhookDeliveries"
        label={texts.deliveries}
        columns={columns}
        beside={list.besideOf(pageOf, (id) => (
          <DeliveryBeside key={id} id={id} />
        ))}
        {...(mayRecover && { selection, setSelection })}
        actions={
          <Button
            look="primary"
            disabled={isTooMany}
            title={isTooMany ? own.tooManySelected : undefined}
            onClick={recoverSelected}
          >
            {own.recoverSelected}
          </Button>
        }
        nothing={{ title: own.noDeliveries, hint: own.noDeliveriesHint }}
      />
    </Page>
  );
}

const pageOf = (id: string): string => `${consolePath}/deliveries/${id}`;

function useColumns(): GridColumn<Delivery>[] {
  const webhook = useWebhookTexts();
  const columns = useDeliveryColumns();
  return useMemo(
    () => [
      ...Object.values(columns),
      timeColumn('nextAttemptAt', webhook.nextAttempt, ({ nextAttemptAt }) => nextAttemptAt),
      timeColumn('occurredAt', webhook.occurred, ({ occurredAt }) => occurredAt, { isHidden: true }),
      idColumn('entityId', webhook.entity, ({ entityId }) => entityId),
      idColumn('messageId', webhook.message, ({ messageId }) => messageId),
      idColumn('id', 'Id', ({ id }) => id),
    ],
    [webhook, columns],
  );
}
