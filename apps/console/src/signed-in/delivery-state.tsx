import { Badge, type Tone } from '@canvass/console-ui';
import { useDeliveryTexts } from './delivery-texts';

const tones: Readonly<Record<string, Tone>> = { delivered: 'good', failed: 'warn', dead: 'bad' };

/** The status of a delivery. A status that this version does not know is shown as it is. */
export function DeliveryStatus({ status }: { status: string }) {
  const { states } = useDeliveryTexts();
  return <Badge tone={tones[status] ?? 'none'}>{states[status] ?? status}</Badge>;
}

/** Shows how an attempt ended, with the HTTP status if there was an answer. */
export function Outcome({ outcome, statusCode }: { outcome: string | null; statusCode: number | null }) {
  const { outcomes } = useDeliveryTexts();
  if (outcome === null) return <span>–</span>;
  const name = outcomes[outcome] ?? outcome;
  return <span>{statusCode === null ? name : `${statusCode} · ${name}`}</span>;
}
