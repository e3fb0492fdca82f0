/** Scripts that run in the page which is measured. They are texts, because they run in the browser. */

/** Before any script of the page: keeps what the browser reports about its speed in `window.found`. */
export const observers = `
  window.found = { lcp: 0, tasks: [], interactions: {}, shifts: [], input: 0 };
  const observe = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  observe('largest-contentful-paint', ({ startTime }) => { found.lcp = startTime; });
  observe('longtask', ({ startTime, duration }) => found.tasks.push([startTime, duration]));
  observe('layout-shift', ({ startTime, value, hadRecentInput }) => {
    if (!hadRecentInput) found.shifts.push([startTime, value]);
  });
  observe('event', ({ interactionId, duration }) => {
    if (interactionId) found.interactions[interactionId] = Math.max(found.interactions[interactionId] ?? 0, duration);
  }, { durationThreshold: 16 });
  for (const type of ['pointerdown', 'keydown']) {
    addEventListener(type, ({ timeStamp }) => { found.input = timeStamp; }, { capture: true });
  }
`;

/** What the observers have found since the page was loaded. */
export interface Found {
  /** Milliseconds from the start of the navigation. */
  lcp: number;
  /** Start and milliseconds of tasks of 50 ms or more. */
  tasks: [start: number, ms: number][];
  /** Milliseconds of each interaction of 16 ms or more. */
  interactions: Record<string, number>;
  /** Start and score of each shift that no input caused. */
  shifts: [start: number, score: number][];
}

/**
 * The largest sum of shifts that are less than a second apart, in at most five seconds, as CLS is defined.
 */
export function layoutShift(shifts: Found['shifts']): number {
  let [worst, sum, first, last] = [0, 0, -Infinity, -Infinity];
  for (const [start, score] of shifts) {
    const isSame = start - last < 1_000 && start - first < 5_000;
    if (!isSame) first = start;
    sum = isSame ? sum + score : score;
    last = start;
    worst = Math.max(worst, sum);
  }
  return worst;
}

/** Ends when the condition holds in a frame. Returns the time then. */
const untilFrame = (condition: string) => `await new Promise((resolve) => {
    const look = () => (${condition}) ? resolve() : requestAnimationFrame(look);
    look();
  });`;

/**
 * Waits until a condition holds, and takes the time since the last input (or since the navigation) apart: how
 * long requests of the API were on their way, and the rest, which is the console's.
 */
export const sinceInput = (condition: string, from: 'input' | 'navigation') => `(async () => {
  ${untilFrame(condition)}
  const end = performance.now();
  const begin = ${from === 'input' ? 'found.input' : '0'};
  const waits = performance.getEntriesByType('resource')
    .filter(({ name, startTime, responseEnd }) => name.includes('/api/') && startTime >= begin && responseEnd <= end)
    .map(({ startTime, responseEnd }) => [startTime, responseEnd])
    .sort(([a], [b]) => a - b);
  let [api, reached] = [0, 0];
  for (const [start, stop] of waits) {
    api += Math.max(0, stop - Math.max(start, reached));
    reached = Math.max(reached, stop);
  }
  return { api, own: end - begin - api };
})()`;

export interface Scrolled {
  frames: number;
  seconds: number;
  /** Milliseconds of the longest time in which a row in sight had no content. */
  blank: number;
}

/**
 * Scrolls the grid for some seconds. In each frame it looks whether every row in sight has its content.
 *
 * @param speed pixels of the scroll range in a second
 */
export const scrolling = (seconds: number, speed: number) => `(async () => {
  const grid = document.querySelector('[role=grid]');
  const isBlank = () => {
    const { top, bottom } = grid.getBoundingClientRect();
    const head = grid.querySelector('[role=columnheader]').offsetHeight;
    let covered = top + head;
    const rows = [...grid.querySelectorAll('[role=rowgroup]:last-child > [role=row]')]
      .map((row) => [row.getBoundingClientRect(), row])
      .filter(([place]) => place.bottom > top + head && place.top < bottom)
      .sort(([a], [b]) => a.top - b.top);
    for (const [place, row] of rows) {
      if (place.top > covered + 2 || row.textContent === '') return true;
      covered = place.bottom;
    }
    return covered < bottom - 20;
  };
  let [frames, blank, since] = [0, 0, null];
  let place = grid.scrollTop;
  const begin = performance.now();
  let last = begin;
  for (;;) {
    const now = await new Promise(requestAnimationFrame);
    if (now < begin) continue;
    if (now - begin >= ${seconds * 1000}) break;
    frames += 1;
    place += Math.max(0, now - last) * ${speed / 1000};
    last = now;
    if (!isBlank()) since = null;
    else {
      since ??= now;
      blank = Math.max(blank, now - since);
    }
    grid.scrollTop = place;
  }
  return { frames, seconds: ${seconds}, blank };
})()`;
