import { useSyncExternalStore } from 'react';
import styles from './toast.module.css';

/** Milliseconds for which a toast is shown. */
const shownFor = 6_000;

let text = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

/** Says in passing that something was done. It replaces what was said before, and takes no focus. */
export function toast(next: string): void {
  clearTimeout(timer);
  show(next);
  timer = setTimeout(show, shownFor, '');
}

/** The place of toasts. It is always there: screen readers announce only changes of what they know. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => text);
  return (
    // React Aria hides all else from screen readers while a dialog is open, but not this.
    <div className={styles.toasts} role="status" data-react-aria-top-layer="true">
      {shown !== '' && <p className={styles.toast}>{shown}</p>}
    </div>
  );
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
