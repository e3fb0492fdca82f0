import { useSyncExternalStore } from 'react';
import { de } from './de';
import { en, type Texts } from './en';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** What a person chose for this browser. */
export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
}

const key = 'canvass-preferences';
const listeners = new Set<() => void>();
let current = apply(read());

/** The stored choice; without one, the first language of the browser that the console has. */
function read(): Preferences {
  const stored = storedValues();
  const wished = [stored['language'], ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return {
    language: (Object.keys(languages) as Language[]).find((own) => own === wished.find(isLanguage)) ?? 'en',
    theme: themes.find((own) => own === stored['theme']) ?? 'system',
  };
}

function isLanguage(tag: unknown): tag is Language {
  return typeof tag === 'string' && Object.hasOwn(languages, tag);
}

function storedValues(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // a browser may forbid the storage
  }
}

function apply(preferences: Preferences): Preferences {
  const { documentElement: page } = document;
  page.lang = preferences.language;
  if (preferences.theme === 'system') delete page.dataset['theme'];
  else page.dataset['theme'] = preferences.theme;
  return preferences;
}

/** Changes and stores preferences. */
export function prefer(change: Partial<Preferences>): void {
  current = apply({ ...current, ...change });
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // The choice then lasts until the page is closed.
  }
  listeners.forEach((listener) => listener());
}

export const usePreferences = (): Preferences =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );

const texts: Record<Language, Texts> = { en, de };

/** The texts in the chosen language. */
export const useTexts = (): Texts => texts[usePreferences().language];
