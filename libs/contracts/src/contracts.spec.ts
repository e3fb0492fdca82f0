import {
  eventEnvelopeSchema,
  isRequiredEvent,
  retryQueueName,
  retryTiersMs,
  serviceTopology,
  webhookEventNames,
  webhookEventOf,
  webhookEvents,
} from '.';

const envelope = {
  id: '9007199254740993',
  type: 'submission.completed',
  schemaVersion: 1,
  tenantId: '1',
  entity: 'submission',
  entityId: '2',
  formId: '3',
  revision: '4',
  occurredAt: '2026-11-20T12:00:00.000Z',
  settings: { scope: 'form', scopeId: '3', version: '5' },
  traceparent: null,
  data: {},
};

describe('event envelope', () => {
  it('accepts an envelope and members that a newer producer adds', () => {
    expect(eventEnvelopeSchema.validate({ ...envelope, later: true }).error).toBeUndefined();
  });

  it.each([
    ['id', 'not a number'],
    ['schemaVersion', 2],
    ['tenantId', undefined],
    ['settings', { scope: 'planet', scopeId: '3', version: '5' }],
    ['data', null],
  ])('refuses one whose %s is %p', (key, value) => {
    expect(eventEnvelopeSchema.validate({ ...envelope, [key]: value }).error?.message).toContain(key);
  });

  it('keeps a 64-bit id exact', () => {
    expect(eventEnvelopeSchema.validate(envelope).value.id).toBe('9007199254740993');
  });
});

describe('webhook events', () => {
  it('are the six of the specification and four further ones, each once, in snake_case of their settings name', () => {
    const kinds = Object.values(webhookEvents);
    expect(kinds.map((kind) => kind.settingsName).sort()).toEqual([...webhookEventNames].sort());
    for (const kind of kinds) {
      const snake = kind.settingsName.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
      expect(kind.eventName).toBe(snake);
      expect(kind.eventName.startsWith(kind.entity)).toBe(true);
    }
  });

  it('do not include the internal events', () => {
    expect(webhookEventOf('submission.updated')).toBeUndefined();
    expect(webhookEventOf('form.created')?.action).toBe('created');
  });
});

describe('topology', () => {
  const byName = new Map(serviceTopology.queues.map((queue) => [queue.name, queue]));

  it('makes every queue a quorum queue with an explicit limit and overflow', () => {
    for (const queue of serviceTopology.queues) {
      expect(queue.arguments).toMatchObject({ 'x-queue-type': 'quorum' });
      expect(queue.arguments['x-max-length']).toBeGreaterThan(0);
      expect(queue.arguments['x-overflow']).toMatch(/^(reject-publish|drop-head)$/);
    }
  });

  it('limits the time and the bytes of every queue without a consumer', () => {
    const held = serviceTopology.queues.filter((queue) => queue.arguments['x-delivery-limit'] !== 20);
    expect(held.map(({ name }) => name)).toContain('service.dead');
    for (const queue of held) {
      expect(queue.arguments['x-message-ttl']).toBeGreaterThan(0);
      expect(queue.arguments['x-max-length-bytes']).toBeGreaterThan(0);
    }
  });

  it.each([
    ['form.created', true],
    ['form.webhook_settings_changed', true],
    ['tenant.webhook_settings_changed', true],
    ['submission.completed', true],
    ['submission.created', false],
    ['submission.updated', false],
    ['submission.saved', true],
    ['submission.status_changed', true],
    ['submission.deleted', true],
    ['submission.erased', true],
    ['submitter.erased', true],
    ['datalist.imported', false],
    ['export.done', false],
    ['import.ready', false],
    ['webhook.delivery_dead', false],
  ])('requires a queue for %s: %s', (type, required) => {
    expect(isRequiredEvent(type)).toBe(required);
  });

  it('declares retry queues for each work queue, which lead back to it', () => {
    const work = serviceTopology.queues.filter((queue) => queue.arguments['x-delivery-limit'] === 20);
    expect(work.length).toBeGreaterThan(0);
    for (const queue of work) {
      for (const tier of retryTiersMs) {
        expect(byName.get(retryQueueName(queue.name, tier))?.arguments).toMatchObject({
          'x-message-ttl': tier,
          'x-dead-letter-routing-key': queue.name,
          'x-dead-letter-strategy': 'at-least-once',
        });
      }
    }
  });

  it('binds only to exchanges that it declares', () => {
    const exchanges = new Set(serviceTopology.exchanges.map((exchange) => exchange.name));
    for (const queue of serviceTopology.queues) {
      for (const binding of queue.bindings) expect(exchanges).toContain(binding.exchange);
    }
  });
});
