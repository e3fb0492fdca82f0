import type { components } from '@canvass/client';
import { Badge, ForeignText, Reference } from '@canvass/console-ui';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { CopyId, idFact, ShownId } from '../copy-button';
import { DeliveryStatus } from '../delivery-state';
import { useDeliveryTexts } from '../delivery-texts';
import { Facts, type Fact } from '../facts';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import { RecordName } from '../record-name';
import { useWebhookTexts } from '../webhook-texts';
import { useDeskTexts } from './texts';
import { useUrlOf } from '../use-endpoints';

type Delivery = components['schemas']['WebhookDeliveryDetail'];
type Message = components['schemas']['WebhookMessageDetail'];

/** The kind of what an event is about, as the audit trail names it. */
const kindOf = (entity: Message['entity'] | undefined): string =>
  entity === 'endpoint' ? 'webhook_endpoint' : (entity ?? '');

interface DeliveryFactsProps {
  delivery: Delivery;
  /** Undefined while it is read. */
  message: Message | undefined;
}

/** The state of a delivery, and what it is about. */
export function DeliveryFacts({ delivery, message }: DeliveryFactsProps) {
  const texts = useTexts();
  const own = useDeskTexts();
  const webhook = useWebhookTexts();
  const { events } = useDeliveryTexts();
  const me = useMe();
  const urlOf = useUrlOf();
  const { id, eventName, formId, entityId, endpointId, status } = delivery;
  const traceId = message?.traceId ?? null;
  const endpoint = <ForeignText>{urlOf(endpointId)}</ForeignText>;
  const isSubmission = formId !== null && message?.entity === 'submission' && entityId !== '0';
  const facts: Fact[] = [
    [
      webhook.status,
      <span className={lists.row}>
        <DeliveryStatus status={status} />
        {message?.isTest === true && <Badge tone="warn">{texts.test}</Badge>}
      </span>,
    ],
    [webhook.event, events[eventName] ?? eventName],
    [
      webhook.endpoint,
      may(me, 'getWebhookEndpoint') ? <Link href={`/endpoints/${endpointId}`}>{endpoint}</Link> : endpoint,
    ],
    [
      isSubmission ? own.submission : webhook.entity,
      <>
        {isSubmission ? (
          <Link href={`/forms/${formId}/submissions/${entityId}`}>{own.showSubmission}</Link>
        ) : (
          <RecordName kind={kindOf(message?.entity)} id={entityId} />
        )}{' '}
        <CopyId id={entityId} />
      </>,
    ],
    formId !== null && [
      own.form,
      <>
        <Link href={`/forms/${formId}/submissions`}>
          <RecordName kind="form" id={formId} />
        </Link>{' '}
        <CopyId id={formId} />
      </>,
    ],
    [webhook.message, <ShownId id={delivery.messageId} />],
    traceId !== null && [own.trace, <Reference>{traceId}</Reference>],
    idFact(id),
  ];
  return <Facts facts={facts} />;
}
