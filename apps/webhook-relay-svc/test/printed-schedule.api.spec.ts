import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, webhookSink } from '@canvass/testing';
import { configSchema } from '../src/config';
import { api } from './api';
import { ControlledClock } from './clock';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

const clock = new ControlledClock();
let world: Harness;
beforeAll(async () => {
  world = await startHarness({ atClock: clock.install });
});
afterAll(() => world.close());

const secondsOf = { s: 1, min: 60, h: 3_600 } as const;

/** The waits as docs/events.md prints them for receivers. */
function printedSchedule(): number[] {
  const text = readFileSync(join(__dirname, '../../../docs/events.md'), 'utf8').replace(/\s+/g, ' ');
  const [, list = ''] = /is tried again after (.*?) \(±20 %\)/.exec(text) ?? [];
  return [...list.matchAll(/(\d+) (s|min|h)\b/g)].map(
    ([, number, unit]) => Number(number) * secondsOf[unit as keyof typeof secondsOf],
  );
}

it('the printed schedule equals the configured schedule, and attempts follow it', async () => {
  const printed = printedSchedule();
  const { value } = configSchema.extract('Service.WebHooks').validate({}) as {
    value: { RetryScheduleSeconds: number[] };
  };
  expect(printed).toEqual(value.RetryScheduleSeconds);

  const relay = await world.relay({ webHooks: { RetryScheduleSeconds: value.RetryScheduleSeconds } });
  const sink = await webhookSink();
  sink.respond(() => ({ status: 400 }));
  const tenant = newTenant(world.owner);
  tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
  await world.publish(tenant.event());
  const log = api(world, relay.url, tenant);
  const delivery = (attemptCount: number) =>
    eventually(async () => {
      const { items } = await log.get('/api/webhooks/deliveries');
      expect(items[0]).toMatchObject({ attemptCount });
      return items[0];
    });

  const measured: number[] = [];
  for (const [index, seconds] of printed.entries()) {
    const { id, status, nextAttemptAt, lastAttemptAt } = await delivery(index + 1);
    expect(status).toBe('failed');
    const wait = (Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt)) / 1000;
    expect(wait).toBeGreaterThanOrEqual(seconds * 0.8 - 0.01);
    expect(wait).toBeLessThanOrEqual(seconds * 1.2 + 0.01);
    if (seconds > 60) {
      // Half a minute early it rests, through several sweeps of what is due.
      await clock.advance(wait - 30);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(sink.requests).toHaveLength(index + 1);
      await clock.advance(31);
    } else await clock.advance(wait + 1);
    await delivery(index + 2);
    const { attempts } = await log.get(`/api/webhooks/deliveries/${id}`);
    const [before, after] = attempts
      .slice(-2)
      .map(({ startedAt }: { startedAt: string }) => Date.parse(startedAt));
    measured.push((after - before) / 1000);
  }
  const { status, nextAttemptAt, finishedAt } = await delivery(printed.length + 1);
  expect({ status, nextAttemptAt, finishedAt }).toEqual({
    status: 'dead',
    nextAttemptAt: null,
    finishedAt: expect.any(String),
  });
  // What the receiver saw, by the database's clock: never sooner than printed less the jitter. A slow machine
  // adds its own time.
  measured.forEach((seconds, index) => expect(seconds).toBeGreaterThanOrEqual(printed[index]! * 0.8 - 0.5));
  expect(measured.slice(2).map((seconds, index) => seconds <= printed[index + 2]! * 1.2 + 60)).not.toContain(
    false,
  );
  await sink.close();
  await relay.stop();
}, 240_000);
