import { useSyncExternalStore } from 'react';
import { useFormats } from './formats';

/** Times that are nearer are said as a distance. Milliseconds. */
const near = 86_400_000;
/** How often a distance changes. */
const step = 30_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times of a page: a list has hundreds. */
function listen(changed: () => void): () => void {
  listeners.add(changed);
  timer ??= setInterval(() => listeners.forEach((listener) => listener()), step);
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * A time in the chosen zone, or how near it is; the time with its zone is shown when one looks closer. An
 * exact one is shown to the second, and then how near it is.
 */
export function Moment({ at, isExact = false }: { at: string | null | undefined; isExact?: boolean }) {
  const { ago, moment, second, full } = useFormats();
  const now = useSyncExternalStore(listen, () => Math.floor(Date.now() / step) * step);
  if (at === null || at === undefined) return <span>–</span>;
  const distance = Date.parse(at) - now;
  return (
    <time dateTime={at} title={isExact ? `${ago(distance)}, ${full(at)}` : full(at)}>
      {isExact ? second(at) : Math.abs(distance) < near ? ago(distance) : moment(at)}
    </time>
  );
}
