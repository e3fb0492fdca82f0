/**
 * The times that people write and read in a zone (`2026-11-23T13:30`), and the instants of the API. A zone is
 * an IANA name; the empty one is that of the browser.
 */

const dayMs = 86_400_000;
/** A formatter is slow to make. */
const made = new Map<string, Intl.DateTimeFormat>();

/** The instant as a time in the zone; empty if it is no instant. */
export function zonedOf(instant: string, zone: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? '' : new Date(at + offsetOf(at, zone)).toISOString().slice(0, 16);
}

/**
 * The instant of a time in the zone; empty if it is no time. Of a time that comes twice, when clocks are set
 * back, it is the first; one that is skipped is as much later.
 */
export function instantOf(local: string, zone: string): string {
  const at = Date.parse(`${local}Z`);
  if (Number.isNaN(at)) return '';
  const [before, after] = [at - dayMs, at + dayMs].map((near) => at - offsetOf(near, zone)) as [
    number,
    number,
  ];
  const isAfter = before + offsetOf(before, zone) !== at && after + offsetOf(after, zone) === at;
  return new Date(isAfter ? after : before).toISOString();
}

/** The start of the day in the zone that is so many days before that of `now`. @param now milliseconds */
export function dayBefore(days: number, zone: string, now: number): string {
  const today = zonedOf(new Date(now).toISOString(), zone).slice(0, 10);
  return instantOf(new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 16), zone);
}

/** The milliseconds by which the clocks of the zone are ahead of UTC. */
function offsetOf(at: number, zone: string): number {
  const format = made.get(zone) ?? formatOf(zone);
  made.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  // `Date.UTC` takes the year 20 for 1920.
  const clock = new Date(0);
  clock.setUTCFullYear(year!, month! - 1, day);
  clock.setUTCHours(hour!, minute, second);
  return clock.getTime() - Math.floor(at / 1000) * 1000;
}

const formatOf = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: zone === '' ? undefined : zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
