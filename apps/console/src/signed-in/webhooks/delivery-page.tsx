import type { components } from '@canvass/client';
import { Button, Panel, Table, type Column, toast } from '@canvass/console-ui';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { FaultNotice, useChange } from '../action';
import { Answer } from '../answer';
import { api } from '../api';
import { useDeliveryColumns } from '../delivery-columns';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import { Page } from '../page';
import { Attempts } from './attempts';
import { CompareBody } from './compare-body';
import { DeliveryFacts } from './delivery-facts';
import { MessageBody } from './message-body';
import { useDeskTexts } from './texts';
import { Timeline } from './timeline';
import { isFinal, useDelivery, useMessage } from './use-delivery';
import { useEndpoints } from '../use-endpoints';
import { useNames } from '../use-names';
import { VerifySignature } from './verify-signature';

type Delivery = components['schemas']['WebhookDeliveryDetail'];
type OfMessage = components['schemas']['WebhookMessageDetail']['deliveries'][number];

/** One delivery: what was sent when, what came back, and what follows. */
export default function DeliveryPage() {
  const texts = useTexts();
  const own = useDeskTexts();
  const { deliveryId: id = '' } = useParams();
  const delivery = useDelivery(id);
  const message = useMessage(delivery.data?.messageId ?? '');
  const named = [message, useEndpoints(), useNames('form')];
  return (
    <Page title={texts.delivery} lead={<Link href="/deliveries">{texts.deliveries}</Link>}>
      <Answer query={delivery} operation="getWebhookDelivery" others={named}>
        {(data) => (
          <div className={lists.columns}>
            <div className={lists.side}>
              <Attempts attempts={data.attempts} />
              <MessageBody
                text={data.messageBody}
                comparison={<CompareBody deliveryId={id} entityId={data.entityId} body={data.messageBody} />}
              />
              <Panel title={own.others}>
                <Answer query={message} operation="getWebhookMessage">
                  {({ deliveries }) => <Others deliveries={deliveries} />}
                </Answer>
              </Panel>
            </div>
            <div className={lists.side}>
              <Panel title={own.state}>
                <Resend delivery={data} />
                <DeliveryFacts delivery={data} message={message.data} />
              </Panel>
              <Timeline delivery={data} />
              <VerifySignature delivery={data} />
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

function Resend({ delivery: { id, status } }: { delivery: Delivery }) {
  const own = useDeskTexts();
  const me = useMe();
  const [isResent, setResent] = useState(false);
  const resend = useChange([['delivery', id]], async () => {
    await api.POST('/api/webhooks/deliveries/{id}/resend', { params: { path: { id } } });
    toast(own.resent);
    setResent(true);
  });
  if (!may(me, 'resendWebhookDelivery') || !(isFinal(status) || isResent)) return null;
  return (
    <div className={lists.action}>
      <Button look="primary" disabled={resend.isBusy || !isFinal(status)} onClick={() => void resend.run()}>
        {own.resend}
      </Button>
      <FaultNotice fault={resend.fault} />
    </div>
  );
}

/** The deliveries of the same message. */
function Others({ deliveries }: { deliveries: OfMessage[] }) {
  const own = useDeskTexts();
  const { endpoint, status, outcome, attempts, last } = useDeliveryColumns();
  const linked: Column<OfMessage> = {
    ...endpoint,
    cell: (delivery) => <Link href={`/deliveries/${delivery.id}`}>{endpoint.cell(delivery)}</Link>,
  };
  const columns: Column<OfMessage>[] = [linked, status, outcome, attempts, last];
  return <Table label={own.others} columns={columns} rows={deliveries} keyOf={({ id }) => id} />;
}
