import { createLogger, withContext } from '../src';
import { redact, scrubText } from '../src/logging/redact';

function capture(level: 'debug' | 'info' = 'info') {
  const lines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  };
  return { lines, logger: createLogger('svc', { level, destination }) };
}

describe('lines', () => {
  test('one JSON object with time, level, service, details and message', () => {
    const { lines, logger } = capture();
    logger.info({ pending: 3 }, 'dispatched');
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        service: 'svc',
        pending: 3,
        message: 'dispatched',
      },
    ]);
  });

  test('lines below the level are dropped; a child keeps its details', () => {
    const { lines, logger } = capture();
    const child = logger.child({ lane: 2, password: 'hunter2' });
    child.debug({}, 'not this');
    child.warn({ a: 1 }, 'this');
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', lane: 2, password: '********', a: 1 })]);
  });

  test('in a request, its id and trace id are added', async () => {
    const { lines, logger } = capture();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await withContext({ requestId: 'r1', traceparent }, async () => {
      await Promise.resolve();
      logger.info({}, 'in');
    });
    logger.info({}, 'out');
    expect(lines[0]).toMatchObject({ requestId: 'r1', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' });
    expect(lines[1]).not.toHaveProperty('requestId');
  });

  test('an error is written with its code, its cause and its stack', () => {
    const { lines, logger } = capture();
    const cause = Object.assign(new Error('refused by amqp://guest:hunter2@rabbit'), {
      code: 'ECONNREFUSED',
    });
    logger.error({ error: new TypeError('no broker', { cause }) }, 'failed');
    expect(lines[0]).toMatchObject({
      error: {
        type: 'TypeError',
        message: 'no broker',
        stack: expect.any(String) as string,
        cause: { code: 'ECONNREFUSED' },
      },
    });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });
});

describe('redaction', () => {
  test.each([
    'password',
    'Password',
    'clientSecret',
    'accessToken',
    'refresh_token',
    'authorization',
    'Cookie',
    'set-cookie',
    'apiKey',
    'ApiKey',
    'api_key',
    'privateKeyPem',
    'passphrase',
  ])('a member called %s is masked at any depth', (name) => {
    expect(redact({ a: [{ [name]: 'hunter2' }] })).toEqual({ a: [{ [name]: '********' }] });
  });

  test.each([
    ['postgres://u:hunter2@db/x failed', 'postgres://********@db/x failed'],
    ['Password=hunter2;Server=db', 'Password=********;Server=db'],
    ['header Bearer hunter2hunter2 was sent', 'header Bearer ******** was sent'],
    ['nothing here', 'nothing here'],
  ])('%s', (text, scrubbed) => expect(scrubText(text)).toBe(scrubbed));

  test('odd values never break a line', () => {
    const circular: Record<string, unknown> = { name: 'x' };
    circular['self'] = circular;
    const values = {
      circular,
      big: 10n ** 20n,
      bytes: Buffer.from('hunter2'),
      nothing: null,
      missing: undefined,
      when: new Date(0),
    };
    const text = JSON.stringify(redact(values));
    expect(text).toContain('"big":"100000000000000000000"');
    expect(text).toContain('"bytes":"[7 bytes]"');
    expect(text).toContain('[deep]');
  });
});
