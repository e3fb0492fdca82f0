import { Panel } from '@canvass/console-ui';
import { Answer } from '../answer';
import lists from '../list.module.css';
import { Attempts } from './attempts';
import { DeliveryFacts } from './delivery-facts';
import { MessageBody } from './message-body';
import { useDeskTexts } from './texts';
import { useDelivery, useMessage } from './use-delivery';

/** A delivery beside the list: its state, its attempts, and the message whole. */
export function DeliveryBeside({ id }: { id: string }) {
  const own = useDeskTexts();
  const delivery = useDelivery(id);
  const message = useMessage(delivery.data?.messageId ?? '');
  return (
    <Answer query={delivery} operation="getWebhookDelivery">
      {(data) => (
        <div className={lists.side}>
          <Panel title={own.state}>
            <DeliveryFacts delivery={data} message={message.data} />
          </Panel>
          <Attempts attempts={data.attempts} />
          <MessageBody text={data.messageBody} />
        </div>
      )}
    </Answer>
  );
}
