/**
 * Items that an import refuses, as the JSON body's `items` and as lines of NDJSON, and the faults: index of
 * the item and path within it. For default locale `en` and locale `nl`.
 */

export interface RejectedItems {
  what: string;
  items: unknown[];
  faults: [index: number, path: string][];
}

const item = (changes: Record<string, unknown>) => ({ value: 'a', labels: { default: 'A' }, ...changes });
const labelled = (labels: Record<string, unknown>) => item({ labels: { default: 'A', ...labels } });
const long = 'x'.repeat(501);

export const rejectedItems: RejectedItems[] = [
  { what: 'a text for an item', items: ['a'], faults: [[0, '']] },
  { what: 'null for an item', items: [null], faults: [[0, '']] },
  { what: 'a number for an item', items: [item({}), 7], faults: [[1, '']] },
  { what: 'a list for an item', items: [['a', { default: 'A' }]], faults: [[0, '']] },
  {
    what: 'an empty object',
    items: [{}],
    faults: [
      [0, 'value'],
      [0, 'labels'],
    ],
  },
  { what: 'no value', items: [{ labels: { default: 'A' } }], faults: [[0, 'value']] },
  { what: 'a number for a value', items: [item({ value: 1 })], faults: [[0, 'value']] },
  { what: 'null for a value', items: [item({ value: null })], faults: [[0, 'value']] },
  { what: 'a list for a value', items: [item({ value: ['a'] })], faults: [[0, 'value']] },
  { what: 'an empty value', items: [item({ value: '' })], faults: [[0, 'value']] },
  { what: 'a blank value', items: [item({ value: ' \t\n' })], faults: [[0, 'value']] },
  { what: 'no labels', items: [{ value: 'a' }], faults: [[0, 'labels']] },
  { what: 'null for labels', items: [item({ labels: null })], faults: [[0, 'labels']] },
  { what: 'a list for labels', items: [item({ labels: ['A'] })], faults: [[0, 'labels']] },
  { what: 'a text for labels', items: [item({ labels: 'A' })], faults: [[0, 'labels']] },
  { what: 'empty labels', items: [item({ labels: {} })], faults: [[0, 'labels.default']] },
  { what: 'no default', items: [item({ labels: { nl: 'A' } })], faults: [[0, 'labels.default']] },
  { what: 'an empty default', items: [labelled({ default: '' })], faults: [[0, 'labels.default']] },
  { what: 'a blank default', items: [labelled({ default: ' ' })], faults: [[0, 'labels.default']] },
  { what: 'an unknown locale', items: [labelled({ fr: 'B' })], faults: [[0, 'labels.fr']] },
  { what: 'a region of a known locale', items: [labelled({ 'nl-be': 'B' })], faults: [[0, 'labels.nl-be']] },
  { what: 'an underscore in a locale', items: [labelled({ nl_NL: 'B' })], faults: [[0, 'labels.nl_NL']] },
  { what: 'a label without a name', items: [labelled({ '': 'B' })], faults: [[0, 'labels.']] },
  { what: 'default twice', items: [labelled({ EN: 'B' })], faults: [[0, 'labels.EN']] },
  { what: 'default in another case', items: [labelled({ Default: 'B' })], faults: [[0, 'labels.Default']] },
  { what: 'a locale twice', items: [labelled({ nl: 'B', NL: 'C' })], faults: [[0, 'labels.NL']] },
  {
    what: 'null for the default label',
    items: [labelled({ default: null })],
    faults: [[0, 'labels.default']],
  },
  { what: 'a value of no width', items: [item({ value: '\u200b\u2060' })], faults: [[0, 'value']] },
  {
    what: 'a default label of no width',
    items: [labelled({ default: '\u200b' })],
    faults: [[0, 'labels.default']],
  },
  { what: 'a number for a label', items: [labelled({ nl: 5 })], faults: [[0, 'labels.nl']] },
  { what: 'an object for a label', items: [labelled({ nl: { text: 'B' } })], faults: [[0, 'labels.nl']] },
  { what: 'true for a label', items: [labelled({ nl: true })], faults: [[0, 'labels.nl']] },
  { what: 'an unknown member', items: [item({ x: 1 })], faults: [[0, 'x']] },
  { what: 'a label beside labels', items: [item({ label: 'A' })], faults: [[0, 'label']] },
  {
    what: 'members in capitals',
    items: [{ Value: 'a', labels: { default: 'A' } }],
    faults: [
      [0, 'Value'],
      [0, 'value'],
    ],
  },
  {
    what: 'a name of every object',
    items: [labelled({ constructor: 'B' })],
    faults: [[0, 'labels.constructor']],
  },
  { what: 'too long a value', items: [item({ value: long })], faults: [[0, 'value']] },
  { what: 'too long a label', items: [labelled({ nl: long })], faults: [[0, 'labels.nl']] },
  {
    what: '501 signs beyond 16 bits',
    items: [labelled({ nl: '😀'.repeat(501) })],
    faults: [[0, 'labels.nl']],
  },
  {
    what: 'the sign of a wrong decoding',
    items: [labelled({ nl: 'K\ufffdln' })],
    faults: [[0, 'labels.nl']],
  },
  { what: 'the same item twice', items: [item({}), item({})], faults: [[1, 'value']] },
  {
    what: 'the same value three times',
    items: [item({}), item({ value: 'b' }), item({}), item({})],
    faults: [
      [2, 'value'],
      [3, 'value'],
    ],
  },
  {
    what: 'faults of many kinds',
    items: [1, item({ value: '' }), item({}), labelled({ fr: 'B', nl: 1 })],
    faults: [
      [0, ''],
      [1, 'value'],
      [3, 'labels.fr'],
      [3, 'labels.nl'],
    ],
  },
];
