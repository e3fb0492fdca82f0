import { productVersion } from '@canvass/contracts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { configSchema } from '../src/config';
import { nextTry, retryAfterMs, retryOwnFaultMs } from '../src/pipeline/schedule';
import { sign } from '../src/pipeline/request-headers';
import { newSigningSecret } from '../src/endpoints/secrets';

const seconds = [5, 30, 120];
const middle = () => 0.5;

describe('nextTry', () => {
  it('follows the schedule and then ends', () => {
    const waits = [1, 2, 3, 4].map((failures) => nextTry(failures, seconds, null, middle));
    expect(waits).toEqual([
      { kind: 'retry', afterMs: 5_000 },
      { kind: 'retry', afterMs: 30_000 },
      { kind: 'retry', afterMs: 120_000 },
      { kind: 'dead' },
    ]);
  });

  it('spreads by 20 % to both sides', () => {
    expect(nextTry(1, seconds, null, () => 0)).toEqual({ kind: 'retry', afterMs: 4_000 });
    expect(nextTry(1, seconds, null, () => 1)).toEqual({ kind: 'retry', afterMs: expect.closeTo(6_000) });
  });

  it('respects Retry-After up to 24 hours, and never retries earlier because of it', () => {
    const after = (asked: number) => nextTry(1, seconds, asked, middle);
    expect(after(60_000)).toEqual({ kind: 'retry', afterMs: 60_000 });
    expect(after(1_000)).toEqual({ kind: 'retry', afterMs: 5_000 });
    expect(after(1e12)).toEqual({ kind: 'retry', afterMs: 86_400_000 });
    expect(nextTry(4, seconds, 60_000, middle)).toEqual({ kind: 'dead' });
  });
});

it('the schedule of the configuration spans at least 72 hours', () => {
  const { value } = configSchema.extract('Service.WebHooks').validate({}) as {
    value: { RetryScheduleSeconds: number[] };
  };
  expect(value.RetryScheduleSeconds).toEqual([
    5, 30, 120, 600, 1800, 7200, 18000, 36000, 50400, 72000, 86400,
  ]);
  expect(value.RetryScheduleSeconds.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(72 * 3600);
});

it.each([
  [1, 0, 1_000],
  [1, 1, 2_000],
  [3, 0.5, 6_000],
  [5, 0, 15_000],
  [5, 1, 30_000],
  [1_000_000, 1, 30_000],
])('after attempt %d, a fault of ours is tried again within 30 s (random %d: %d ms)', (n, random, ms) => {
  expect(retryOwnFaultMs(n, () => random)).toBe(ms);
});

describe('retryAfterMs', () => {
  it.each<[string | undefined, string | undefined, number | null]>([
    ['120', undefined, 120_000],
    [' 5 ', undefined, 5_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 'Sat, 21 Nov 2026 10:00:00 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 'Sat, 21 Nov 2026 10:00:00 GMT', null],
    ['-5', undefined, null],
    ['soon', undefined, null],
    ['', undefined, null],
    [undefined, undefined, null],
  ])('reads %s (Date %s) as %s', (retryAfter, date, expected) => {
    expect(retryAfterMs(retryAfter, date)).toBe(expected);
  });

  it('uses the local clock if the response has no readable date', () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    for (const date of [undefined, 'today']) {
      const waits = retryAfterMs(inAnHour, date);
      expect(waits).toBeGreaterThan(3_000_000);
      expect(waits).toBeLessThanOrEqual(3_600_000);
    }
  });
});

describe('signing', () => {
  const body = Buffer.from('{"Id":"1","text":"þ"}');
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = (signature: string, id = '1') => ({
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  });

  it('is accepted by standardwebhooks with each secret during a rotation', () => {
    const secrets = [newSigningSecret(), newSigningSecret()];
    const signature = sign(secrets, '1', timestamp, body);
    for (const secret of secrets)
      expect(() => new Webhook(secret).verify(body, headers(signature))).not.toThrow();
    expect(() => new Webhook(newSigningSecret()).verify(body, headers(signature))).toThrow();
  });

  it('covers the id and the time', () => {
    const secret = newSigningSecret();
    const signature = sign([secret], '1', timestamp, body);
    expect(() => new Webhook(secret).verify(body, headers(signature, '2'))).toThrow();
    const later = { ...headers(signature), 'webhook-timestamp': String(timestamp + 1) };
    expect(() => new Webhook(secret).verify(body, later)).toThrow();
  });
});

it('the User-Agent contains the version of the product', () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(productVersion).toBe(version);
});
