import { defaultLayout, layoutOf, type GridLayout } from '@canvass/console-ui/layout';
import { useCallback, useSyncExternalStore } from 'react';
import { attempt } from '../attempt';
import { membersOf } from '../json-object';
import { useMe } from './me';

/** The layout of a list, and the saved view that it began as. */
export interface KeptLayout extends GridLayout {
  view: string | null;
}

/** Data that this browser keeps of a person. The API has a copy, so it also holds on other machines. */
interface Kept {
  /** Layouts by the name of the list; the one that was changed last is the last. */
  layouts: Readonly<Record<string, KeptLayout>>;
  /** Names of what the API does not have yet, with a number that grows with each change. */
  unsaved: Readonly<Record<string, number>>;
}

/** Prefix of layouts among the names of what is unsaved. */
const layoutPrefix = 'layouts.';

const listeners = new Set<() => void>();
let person = '';
let current: Kept = { layouts: {}, unsaved: {} };
let changes = 0;

const keyOf = (subject: string): string => `canvass-own-${subject}`;

/** Reads what is kept of a person. @param subject of the person who is signed in */
export function keptOf(subject: string): Kept {
  if (person === subject) return current;
  person = subject;
  current = read(keyOf(subject));
  return current;
}

/** Calls a listener after each change. Returns what ends that. */
export function onKept(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function keep(subject: string, change: Partial<Kept>): void {
  current = { ...keptOf(subject), ...change };
  // A browser may forbid the storage. What is kept then lasts until the page is closed.
  attempt(() => localStorage.setItem(keyOf(subject), JSON.stringify(current)));
  listeners.forEach((listener) => listener());
}

/** Notes what the API has to be sent. */
export function noteUnsaved(subject: string, names: readonly string[]): void {
  changes += 1;
  const { unsaved } = keptOf(subject);
  keep(subject, { unsaved: { ...unsaved, ...Object.fromEntries(names.map((name) => [name, changes])) } });
}

/** The API has these changes now. What was changed again since is still unsaved. */
export function noteSaved(subject: string, saved: Kept['unsaved']): void {
  const left = Object.entries(keptOf(subject).unsaved).filter(([name, number]) => saved[name] !== number);
  keep(subject, { unsaved: Object.fromEntries(left) });
}

/** Takes the layouts of the API, except those that were changed here since. */
export function adoptLayouts(subject: string, stored: unknown): void {
  const { layouts, unsaved } = keptOf(subject);
  const theirs = Object.entries(layoutsOf(stored)).filter(([name]) => !(layoutPrefix + name in unsaved));
  if (theirs.length > 0) keep(subject, { layouts: { ...layouts, ...Object.fromEntries(theirs) } });
}

/** The layouts that are unsaved, by the name of their list. */
export const unsavedLayouts = ({ layouts, unsaved }: Kept): Record<string, KeptLayout> =>
  Object.fromEntries(Object.entries(layouts).filter(([name]) => layoutPrefix + name in unsaved));

/** The layout of a list as the person has chosen it, and the way to change it. */
export function useKeptLayout(name: string): [KeptLayout, (change: Partial<KeptLayout>) => void] {
  const { subject } = useMe();
  const { layouts } = useSyncExternalStore(onKept, () => keptOf(subject));
  const change = useCallback(
    (part: Partial<KeptLayout>) => {
      const { [name]: before = unchanged, ...others } = keptOf(subject).layouts;
      keep(subject, { layouts: { ...others, [name]: { ...before, ...part } } });
      noteUnsaved(subject, [layoutPrefix + name]);
    },
    [subject, name],
  );
  return [layouts[name] ?? unchanged, change];
}

const unchanged: KeptLayout = { ...defaultLayout, view: null };

function read(key: string): Kept {
  const stored = membersOf(attempt(() => JSON.parse(localStorage.getItem(key) ?? '{}') as unknown));
  const unsaved = Object.keys(membersOf(stored['unsaved'])).map((name) => [name, 0]);
  return { layouts: layoutsOf(stored['layouts']), unsaved: Object.fromEntries(unsaved) as Kept['unsaved'] };
}

function layoutsOf(stored: unknown): Record<string, KeptLayout> {
  const entries = Object.entries(membersOf(stored)).map(([name, layout]) => {
    const { view } = membersOf(layout);
    return [name, { ...layoutOf(layout), view: typeof view === 'string' ? view : null }];
  });
  return Object.fromEntries(entries) as Record<string, KeptLayout>;
}
