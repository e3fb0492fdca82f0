import Joi from 'joi';
import {
  dataListItemExample,
  dataListItemSchema,
  eventDataSchemas,
  eventExample,
  eventMessageFault,
  eventSummaries,
  eventTypes,
  exactObject,
  exchanges,
  serviceTopology,
} from '.';

describe('exactObject', () => {
  const schema = exactObject<{ a: string; b?: number }>('Pair', { a: Joi.string() }, { b: Joi.number() });

  it('requires the members of the type and rejects others', () => {
    expect(schema.validate({ a: 'x' }).error).toBeUndefined();
    expect(schema.validate({ a: 'x', b: 1 }).error).toBeUndefined();
    expect(schema.validate({ b: 1 }).error?.message).toContain('"a" is required');
    expect(schema.validate({ a: 'x', c: 1 }).error?.message).toContain('"c" is not allowed');
  });
});

describe('event schemas', () => {
  it.each(eventTypes)('accept the example of %s, whole', (type) => {
    expect(eventMessageFault(type, eventExample(type))).toBeNull();
    expect(eventSummaries[type]).toMatch(/\.$/);
  });

  it.each(eventTypes)('describe every member of the data of %s', (type) => {
    const { keys } = eventDataSchemas[type].describe() as { keys: Record<string, Joi.Description> };
    for (const [name, member] of Object.entries(keys)) {
      expect([name, (member.flags as { description?: string } | undefined)?.description]).toEqual([
        name,
        expect.stringMatching(/./),
      ]);
    }
  });

  const submission = eventExample('submission.completed');

  it.each([
    ['an id that is a number', { data: { ...submission.data, id: 5 } }, '"data.id" must be a string'],
    ['a missing null', { data: { ...submission.data, submitterId: undefined } }, '"data.submitterId"'],
    ['a token', { data: { ...submission.data, token: 'secret' } }, '"data.token" is not allowed'],
    ['a date without Z', { occurredAt: '2026-11-20T09:34:12.345' }, '"occurredAt"'],
    [
      'a date without milliseconds',
      { data: { ...submission.data, startedAt: '2026-11-20T09:34:12Z' } },
      'data.startedAt',
    ],
    ['the type of another event', { type: 'submission.deleted' }, '"type"'],
    ['the entity of another event', { entity: 'form' }, '"entity"'],
    ['a revision of 0', { revision: '0' }, '"revision"'],
    ['a further member', { extra: 1 }, '"extra" is not allowed'],
  ])('refuse %s', (_what, change, fault) => {
    expect(eventMessageFault('submission.completed', { ...submission, ...change })).toContain(fault);
  });

  it('reject unknown events', () => {
    expect(eventMessageFault('form.renamed', {})).toBe('"form.renamed" is not an event');
  });

  it('cover all bindings of the topology', () => {
    const bound = serviceTopology.queues
      .flatMap(({ bindings }) => bindings)
      .filter(({ exchange }) => exchange === exchanges.events)
      .map(({ routingKey }) => routingKey);
    for (const key of bound.filter((key) => !key.includes('*'))) expect(eventTypes).toContain(key);
  });
});

describe('data list item', () => {
  it('always has the label `default`', () => {
    expect(dataListItemSchema.validate(dataListItemExample).error).toBeUndefined();
    expect(dataListItemSchema.validate({ value: 'x', labels: { nl: 'X' } }).error?.message).toContain(
      'default',
    );
  });
});
