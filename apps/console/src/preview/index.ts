/** The first message to the frame. The port that comes with it carries all others. */
export const greeting = 'canvass-preview';

/** The messages that the console sends to the frame. */
export type ToPreview =
  | { kind: 'show'; number: number; definition: string; locale: string; isDark: boolean }
  | { kind: 'clear' }
  | { kind: 'ask' };

/** The messages that the frame sends to the console: never an answer to a question of the form. */
export type FromPreview =
  | { kind: 'alive' }
  /** The definition of this number is shown. `errors` is what the form runtime did not understand. */
  | { kind: 'shown'; number: number; errors: string[]; locales: string[] }
  | { kind: 'failed'; number: number; message: string };

/** Limits of what the console reads: the definition decides how many errors and locales there are. */
export const maxErrors = 20;
const maxLocales = 200;
const maxCharacters = 500;

/** Checks a message of the frame; null if it is not one. Texts and lists are cut to their limits. */
export function readAnswer(data: unknown): FromPreview | null {
  if (typeof data !== 'object' || data === null) return null;
  const { kind, number, errors, locales, message } = data as Record<string, unknown>;
  if (kind === 'alive') return { kind };
  if (typeof number !== 'number') return null;
  if (kind === 'failed' && typeof message === 'string') {
    return { kind, number, message: message.slice(0, maxCharacters) };
  }
  if (kind !== 'shown' || !isTexts(errors) || !isTexts(locales)) return null;
  return {
    kind,
    number,
    errors: errors.slice(0, maxErrors).map((text) => text.slice(0, maxCharacters)),
    locales: locales.filter((name) => name.length <= 20).slice(0, maxLocales),
  };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');
