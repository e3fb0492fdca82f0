import { useEffect } from 'react';
import { Fault } from '../api';
import { onPreferred, prefer, preferences, preferencesOf, type Preferences } from '../i18n';
import { taggedOf } from './action';
import { api } from './api';
import { adoptLayouts, keptOf, noteSaved, noteUnsaved, onKept, unsavedLayouts } from './kept-layouts';
import { membersOf, type Members } from '../json-object';
import { may, useMe } from './me';

/** Changes of this time are saved together, in milliseconds. */
const pause = 500;
/** Most bytes of the settings of a person. The API takes 16 KB. */
const maxBytes = 15_000;

/**
 * Keeps the preferences and layouts of the user in step with the API, so that they hold on each machine.
 * What is changed here while the API cannot be reached is saved later.
 */
export function useOwnSettings(): void {
  const me = useMe();
  const { subject } = me;
  const isKept = may(me, 'getOwnPreferences') && may(me, 'saveOwnPreferences');
  useEffect(() => (isKept ? keepInStep(subject) : undefined), [isKept, subject]);
}

/** Returns what ends it. */
function keepInStep(subject: string): () => void {
  let isEnded = false;
  let isRunning = false;
  let isAdopting = false;
  let last = preferences();

  const adopt = (settings: Members) => {
    const { unsaved } = keptOf(subject);
    const theirs = Object.entries({ ...preferences(), ...preferencesOf(settings) }).filter(
      ([name]) => !(name in unsaved),
    );
    const next: Preferences = { ...preferences(), ...Object.fromEntries(theirs) };
    isAdopting = true;
    if (changedNames(preferences(), next).length > 0) prefer(next);
    isAdopting = false;
    adoptLayouts(subject, settings['layouts']);
  };
  const run = async () => {
    let stored = await read();
    if (isEnded) return;
    adopt(stored.record.settings);
    while (!isEnded && Object.keys(keptOf(subject).unsaved).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const { unsaved } = keptOf(subject);
      try {
        stored = await save(settingsOf(subject, stored.record.settings), stored.etag);
        noteSaved(subject, unsaved);
      } catch (error) {
        if (!(error instanceof Fault) || error.status !== 412) throw error;
        stored = await read(); // another tab or machine was faster
      }
    }
  };
  const start = () => {
    if (isRunning || isEnded) return;
    isRunning = true;
    // What stays unsaved is saved after the next change, or when the console is opened again.
    void run()
      .catch(() => undefined)
      .finally(() => (isRunning = false));
  };

  const endPreferred = onPreferred(() => {
    const changed = changedNames(last, preferences());
    last = preferences();
    if (!isAdopting && changed.length > 0) noteUnsaved(subject, changed);
  });
  const endKept = onKept(() => {
    if (Object.keys(keptOf(subject).unsaved).length > 0) start();
  });
  start();
  return () => {
    isEnded = true;
    endPreferred();
    endKept();
  };
}

const changedNames = (before: Preferences, after: Preferences): string[] =>
  (Object.keys(after) as (keyof Preferences)[]).filter((name) => before[name] !== after[name]);

/** The settings with what was changed here. Layouts that were changed long ago are left out for room. */
function settingsOf(subject: string, stored: Members): Members {
  const kept = keptOf(subject);
  const own = Object.entries(preferences()).filter(([name]) => name in kept.unsaved);
  const mine = unsavedLayouts(kept);
  const others = Object.entries(membersOf(stored['layouts'])).filter(([name]) => !Object.hasOwn(mine, name));
  const layouts = [...others, ...Object.entries(mine)];
  const withLayouts = () => ({
    ...stored,
    ...Object.fromEntries(own),
    layouts: Object.fromEntries(layouts),
  });
  while (layouts.length > 0 && bytesOf(withLayouts()) > maxBytes) layouts.shift();
  return withLayouts();
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

const path = '/api/auth/me/preferences';
const read = () => taggedOf(api.GET(path));

/** @throws {Fault} 412 if the settings are not those of `etag` */
const save = (settings: Members, etag: string) =>
  taggedOf(api.PUT(path, { params: { header: { 'If-Match': etag } }, body: { settings } }));
