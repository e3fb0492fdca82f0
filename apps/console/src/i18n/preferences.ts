import { useSyncExternalStore } from 'react';
import { attempt } from '../attempt';
import { membersOf, type Members } from '../json-object';
import { de } from './de';
import { en, type Texts } from './en';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
const densities = ['compact', 'normal', 'airy'] as const;
export type Density = (typeof densities)[number];

/** The choices of a person for this browser. */
export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  /** IANA time zone in which times are shown; empty for that of the browser. */
  readonly zone: string;
  /** The room that the rows of tables have. */
  readonly density: Density;
}

const key = 'canvass-preferences';
const listeners = new Set<() => void>();
let current = apply(read());

/** The stored choice; without one, the first language of the browser that the console has. */
function read(): Preferences {
  const wished = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage);
  return {
    language: wished ?? 'en',
    theme: 'system',
    zone: '',
    density: 'normal',
    ...preferencesOf(storedValues()),
  };
}

/** The preferences among stored values. What has another shape, also of another version, is left out. */
export function preferencesOf(stored: Members): Partial<Preferences> {
  const { language, theme, zone, density } = stored;
  return {
    ...(isLanguage(language) && { language }),
    ...(isOneOf(themes, theme) && { theme }),
    ...(isZone(zone) && { zone }),
    ...(isOneOf(densities, density) && { density }),
  };
}

function isOneOf<T>(values: readonly T[], value: unknown): value is T {
  return values.includes(value as T);
}

function isLanguage(tag: unknown): tag is Language {
  return typeof tag === 'string' && Object.hasOwn(languages, tag);
}

/** Returns whether it is empty, or a time zone that this browser knows. */
function isZone(zone: unknown): zone is string {
  if (typeof zone !== 'string') return false;
  return zone === '' || attempt(() => Intl.DateTimeFormat('en', { timeZone: zone })) !== null;
}

function storedValues(): Members {
  return membersOf(attempt(() => JSON.parse(localStorage.getItem(key) ?? '{}') as unknown));
}

function apply(preferences: Preferences): Preferences {
  const { documentElement: page } = document;
  page.lang = preferences.language;
  if (preferences.theme === 'system') delete page.dataset['theme'];
  else page.dataset['theme'] = preferences.theme;
  page.dataset['density'] = preferences.density;
  return preferences;
}

/** Changes and stores preferences. */
export function prefer(change: Partial<Preferences>): void {
  current = apply({ ...current, ...change });
  // Without storage, the choice lasts until the page is closed.
  attempt(() => localStorage.setItem(key, JSON.stringify(current)));
  listeners.forEach((listener) => listener());
}

/** The preferences now. */
export const preferences = (): Preferences => current;

/** Calls a listener after each change. Returns what ends that. */
export function onPreferred(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const usePreferences = (): Preferences => useSyncExternalStore(onPreferred, preferences);

const texts: Record<Language, Texts> = { en, de };

/** The texts in the chosen language. */
export const useTexts = (): Texts => texts[usePreferences().language];

/** The texts of a part of the console that brings its own, so that they are loaded with it. */
export const useTextsOf = <T>(own: Readonly<Record<Language, T>>): T => own[usePreferences().language];
