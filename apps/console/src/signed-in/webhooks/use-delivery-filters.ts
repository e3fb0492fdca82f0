import { useDeliveryTexts } from '../delivery-texts';
import type { ListState } from '../list-state';
import { usePlainFilters } from '../plain-filters';
import type { Finding } from '../record-grid';
import { useEndpoints } from '../use-endpoints';
import { useWebhookTexts } from '../webhook-texts';
import { useDeskTexts } from './texts';

/** What one finds deliveries with, as it is in the address. */
export function useDeliveryFilters(list: ListState): Finding {
  const texts = useDeskTexts();
  const webhook = useWebhookTexts();
  const words = useDeliveryTexts();
  const { data: endpoints = [] } = useEndpoints();
  // A text is searched in bodies: the API needs a time or a single record for it.
  const isBounded = ['from', 'entityId', 'messageId'].some((name) => list.filter(name) !== '');
  return {
    search: {
      label: texts.text,
      placeholder: texts.text,
      value: list.filter('text'),
      setValue: (text) => list.setFilters({ text, ...(text !== '' && !isBounded && { from: dayAgo() }) }),
    },
    filters: usePlainFilters(list, [
      { name: 'status', title: webhook.status, kind: 'several', choices: words.states },
      { name: 'outcome', title: webhook.outcome, kind: 'several', choices: words.outcomes },
      {
        name: 'endpointId',
        title: webhook.endpoint,
        kind: 'one',
        choices: Object.fromEntries(endpoints.map(({ id, url }) => [id, url])),
      },
      { name: 'eventName', title: webhook.event, kind: 'one', choices: words.events },
      { name: 'statusCode', title: webhook.statusCode, kind: 'text', hint: '500-599' },
      { name: 'from', title: texts.from, kind: 'time' },
      { name: 'to', title: texts.to, kind: 'time' },
      {
        name: 'isTest',
        title: texts.isTest,
        kind: 'one',
        choices: { false: texts.withoutTests, true: texts.onlyTests },
      },
      { name: 'minAttempts', title: texts.minAttempts, kind: 'text' },
      { name: 'formId', title: texts.form, kind: 'text' },
      { name: 'entityId', title: webhook.entity, kind: 'text' },
      { name: 'messageId', title: webhook.message, kind: 'text' },
    ]),
  };
}

const dayAgo = (): string => new Date(Date.now() - 24 * 3_600_000).toISOString();
