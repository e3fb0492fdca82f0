import { Badge, type Tone } from '@canvass/console-ui';
import { useDeliveryTexts } from './delivery-texts';

/** The status of a delivery. A status that this version does not know is shown as it is. */
export function DeliveryStatus({ status }: { status: string }) {
  const texts = useDeliveryTexts();
  const names: Readonly<Record<string, readonly [tone: Tone, name: string]>> = {
    pending: ['none', texts.pending],
    delivered: ['good', texts.delivered],
    failed: ['warn', texts.failed],
    dead: ['bad', texts.dead],
    cancelled: ['none', texts.cancelled],
  };
  const [tone, name] = names[status] ?? ['none', status];
  return <Badge tone={tone}>{name}</Badge>;
}

/** Shows how an attempt ended, with the HTTP status if there was an answer. */
export function Outcome({ outcome, statusCode }: { outcome: string | null; statusCode: number | null }) {
  const { outcomes } = useDeliveryTexts();
  if (outcome === null) return <span>–</span>;
  const name = outcomes[outcome] ?? outcome;
  return <span>{statusCode === null ? name : `${statusCode} · ${name}`}</span>;
}
