import type { paths } from '@canvass/client';

/** The filter of a list of deliveries, as the API takes it in a query. */
export type DeliveryQuery = NonNullable<paths['/api/webhooks/deliveries']['get']['parameters']['query']>;

/** Filters with one value, which have the same names in the URL and in the API. */
const single = [
  'endpointId',
  'formId',
  'entityId',
  'messageId',
  'eventName',
  'statusCode',
  'text',
  'from',
  'to',
];
/** Filters of which one value must hold; separated by commas in the URL. */
const several = ['status', 'outcome'];

/** The filter of the URL. A number of attempts that is not valid is no filter. */
export function filterOf(valueOf: (name: string) => string): Record<string, unknown> {
  const filter: Record<string, unknown> = {};
  for (const name of single) if (valueOf(name) !== '') filter[name] = valueOf(name);
  for (const name of several) {
    const values = valueOf(name).split(',').filter(Boolean);
    if (values.length > 0) filter[name] = values;
  }
  if (valueOf('isTest') !== '') filter['isTest'] = valueOf('isTest') === 'true';
  if (Number(valueOf('minAttempts')) > 0) filter['minAttempts'] = Number(valueOf('minAttempts'));
  return filter;
}
