import type { IncomingMessage } from '@canvass/messaging';
import { noTracing, silentLogger } from '@canvass/service-kit';
import { DatabaseError } from 'pg';
import { eventConsumer } from './consume-event';

const event = {
  id: '9',
  type: 'submission.completed',
  schemaVersion: 1,
  tenantId: '1',
  entity: 'submission',
  entityId: '7',
  formId: '3',
  revision: '2',
  occurredAt: '2026-11-20T12:00:00.000Z',
  settings: { scope: 'tenant', scopeId: '1', version: '4' },
  traceparent: null,
  data: {},
};

const incoming = (retriesOfCause?: { cause: string; count: number }): IncomingMessage => ({
  messageId: event.id,
  routingKey: event.type,
  body: Buffer.from(JSON.stringify(event)),
  headers: {},
  redelivered: false,
  deliveryCount: 0,
  retriesOfCause,
});

/** Handles an event whose fan-out fails with this SQLSTATE. */
function handle(sqlState: string, message: IncomingMessage) {
  const error = Object.assign(new DatabaseError('it failed', 0, 'error'), { code: sqlState });
  const consume = eventConsumer({
    fanOut: () => Promise.reject(error),
    settings: {
      ensure: () => Promise.resolve('known'),
      ensureCurrent: () => Promise.resolve('known'),
      endLost: () => Promise.resolve(),
      specialTargets: () => Promise.resolve([]),
    },
    askTexts: () => Promise.resolve('away'),
    filtered: { count: () => undefined },
    logger: silentLogger,
    tracing: noTracing,
    announce: () => Promise.resolve(),
    erase: () => Promise.resolve(),
  });
  return consume(message);
}

describe('the head of an event', () => {
  const lines: string[] = [];
  const consume = eventConsumer({
    fanOut: () => Promise.resolve([]),
    settings: {
      ensure: () => Promise.resolve('known'),
      ensureCurrent: () => Promise.resolve('known'),
      endLost: () => Promise.resolve(),
      specialTargets: () => Promise.resolve([]),
    },
    askTexts: () => Promise.resolve('away'),
    filtered: { count: () => undefined },
    logger: { ...silentLogger, error: (line: object) => void lines.push(JSON.stringify(line)) } as never,
    tracing: noTracing,
    announce: () => Promise.resolve(),
    erase: () => Promise.resolve(),
  });
  const outcomeOf = (changed: object) =>
    consume({ ...incoming(), body: Buffer.from(JSON.stringify({ ...event, ...changed })) });

  it('may have members of newer producers, and nulls where they are allowed', async () => {
    expect(await outcomeOf({ later: { more: true } })).toBe('ack');
    expect(await outcomeOf({ settings: null, formId: null })).toBe('ack');
  });

  it.each(Object.keys(event).filter((name) => name !== 'data'))(
    'without a right %s is dead, and the log names it',
    async (name) => {
      for (const value of [undefined, {}, 7, '']) {
        expect([name, value, await outcomeOf({ [name]: value })]).toEqual([name, value, 'dead']);
        expect(lines.at(-1)).toContain(`its member ${name} `);
      }
    },
  );

  it.each([{ scope: 'list' }, { scopeId: 'x' }, { version: null }])(
    'with settings %j is dead',
    async (wrong) => expect(await outcomeOf({ settings: { ...event.settings, ...wrong } })).toBe('dead'),
  );
});

describe('an event whose statement fails', () => {
  it.each(['23514', '54000'])('is retried 20 times for the cause %s, then dead', async (cause) => {
    const retried = { retryInMs: 5_000, cause };
    expect(await handle(cause, incoming())).toEqual(retried);
    expect(await handle(cause, incoming({ cause, count: 19 }))).toEqual(retried);
    expect(await handle(cause, incoming({ cause, count: 20 }))).toBe('dead');
  });

  it('is counted again for another cause', async () =>
    expect(await handle('54000', incoming({ cause: '23514', count: 20 }))).toEqual({
      retryInMs: 5_000,
      cause: '54000',
    }));

  it('is dead at once if a value can never be stored', async () =>
    expect(await handle('22021', incoming())).toBe('dead'));

  it.each(['57P01', '57014'])(
    'is not settled while the database is away or slow (%s)',
    async (sqlState) =>
      await expect(handle(sqlState, incoming({ cause: '23514', count: 20 }))).rejects.toThrow('it failed'),
  );
});
