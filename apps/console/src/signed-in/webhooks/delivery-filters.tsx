import { useDeliveryTexts } from '../delivery-texts';
import { Chips, ChoiceFilter, FilterBar, OneOf, TimeFilter } from '../filters';
import { FilterBox } from '../list-parts';
import type { useListState } from '../list-state';
import { useWebhookTexts } from '../webhook-texts';
import { filterNames } from './filter';
import { useDeskTexts } from './texts';
import { useEndpoints } from '../use-endpoints';

/** Ids that links set; one only removes them here. */
const ids = ['formId', 'entityId', 'messageId', 'minAttempts'];

/** The filters of the deliveries, which are in the URL. */
export function DeliveryFilters({ list }: { list: ReturnType<typeof useListState> }) {
  const texts = useDeskTexts();
  const webhook = useWebhookTexts();
  const words = useDeliveryTexts();
  const { data: endpoints = [] } = useEndpoints();
  const { pending, delivered, failed, dead, cancelled } = words;
  const set = (name: string) => (value: string) => list.setFilters({ [name]: value });
  const value = list.filter;
  // A text is searched in bodies: the API needs a time or a single record for it.
  const isBounded = ['from', 'entityId', 'messageId'].some((name) => value(name) !== '');
  const isSet = filterNames.some((name) => value(name) !== '');
  return (
    <FilterBar clear={isSet ? list.clear : null}>
      <ChoiceFilter
        title={webhook.status}
        choices={{ pending, delivered, failed, dead, cancelled }}
        value={value('status')}
        setValue={set('status')}
      />
      <ChoiceFilter
        title={webhook.outcome}
        choices={words.outcomes}
        value={value('outcome')}
        setValue={set('outcome')}
      />
      <OneOf
        title={webhook.endpoint}
        choices={{ '': texts.anyEvent, ...Object.fromEntries(endpoints.map(({ id, url }) => [id, url])) }}
        value={value('endpointId')}
        setValue={set('endpointId')}
      />
      <OneOf
        title={webhook.event}
        choices={{ '': texts.anyEvent, ...words.events }}
        value={value('eventName')}
        setValue={set('eventName')}
      />
      <OneOf
        title={texts.isTest}
        choices={{ '': texts.withTests, false: texts.withoutTests, true: texts.onlyTests }}
        value={value('isTest')}
        setValue={set('isTest')}
      />
      <FilterBox
        label={webhook.statusCode}
        placeholder={`${webhook.statusCode}: 500-599`}
        value={value('statusCode')}
        setValue={set('statusCode')}
      />
      <TimeFilter title={texts.from} value={value('from')} setValue={set('from')} />
      <TimeFilter title={texts.to} value={value('to')} setValue={set('to')} />
      <FilterBox
        label={texts.text}
        placeholder={texts.text}
        value={value('text')}
        setValue={(text) => list.setFilters({ text, ...(text !== '' && !isBounded && { from: dayAgo() }) })}
      />
      <Chips
        values={ids.flatMap((name) => (value(name) === '' ? [] : [`${name}:${value(name)}`]))}
        removeLabel={(chip) => `✕ ${chip}`}
        setValues={(left) =>
          list.setFilters(
            Object.fromEntries(
              ids
                .filter((name) => !left.some((chip) => chip.startsWith(`${name}:`)))
                .map((name) => [name, '']),
            ),
          )
        }
      />
    </FilterBar>
  );
}

const dayAgo = (): string => new Date(Date.now() - 24 * 3_600_000).toISOString();
