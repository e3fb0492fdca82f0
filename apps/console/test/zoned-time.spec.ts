import { dayBefore, instantOf, zonedOf } from '../src/signed-in/zoned-time';

it.each([
  ['2026-11-28T23:23:00.000Z', 'America/New_York', '2026-11-28T18:23'],
  ['2026-11-28T23:23:00.000Z', 'Europe/Berlin', '2026-11-29T00:23'],
  ['2026-07-01T00:00:00.000Z', 'Asia/Kathmandu', '2026-07-01T05:45'],
  ['2026-07-01T00:00:00.000Z', 'Pacific/Kiritimati', '2026-07-01T14:00'],
  ['2026-01-01T00:00:00.000Z', 'UTC', '2026-01-01T00:00'],
  // Clocks are set forward and back on these days.
  ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', '2026-03-29T03:00'],
  ['2026-03-08T06:59:00.000Z', 'America/New_York', '2026-03-08T01:59'],
  ['2026-10-25T02:00:00.000Z', 'Europe/Berlin', '2026-10-25T03:00'],
])('%s is in %s %s, and back', (instant, zone, local) => {
  expect([zonedOf(instant, zone), instantOf(local, zone)]).toEqual([local, instant]);
});

it.each([
  ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
])('%s in Berlin, which comes twice or never, is %s', (local, instant) => {
  expect(instantOf(local, 'Europe/Berlin')).toBe(instant);
});

it('without a zone is that of the machine', () => {
  const instant = '2026-07-01T12:34:00.000Z';
  const local = zonedOf(instant, '');
  expect([new Date(local).toISOString(), instantOf(local, '')]).toEqual([instant, instant]);
});

it.each([
  [6, 'Europe/Berlin', '2026-10-23T22:00:00.000Z'],
  [0, 'Europe/Berlin', '2026-10-29T23:00:00.000Z'],
  [0, 'America/New_York', '2026-10-30T04:00:00.000Z'],
])('the day %i days before that of a time begins in %s at %s', (days, zone, start) => {
  expect(dayBefore(days, zone, Date.parse('2026-10-30T22:30:00.000Z'))).toBe(start);
});

it.each(['', 'x', '2026-13-01T00:00'])('%j is no time', (text) => {
  expect([zonedOf(text, 'UTC'), instantOf(text, 'UTC')]).toEqual(['', '']);
});

it('keeps the years that are typed on the way to one', () => {
  expect(zonedOf(instantOf('0020-11-23T13:30', 'UTC'), 'UTC')).toBe('0020-11-23T13:30');
});
