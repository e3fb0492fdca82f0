import { usePreferences, type Language } from '../i18n';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The formats by language and time zone. A formatter is slow to make, and a page has hundreds of times. */
const made = new Map<string, Formats>();

/** Numbers and times in the language and the time zone of the person. */
export function useFormats(): Formats {
  const { language, zone } = usePreferences();
  const key = `${language} ${zone}`;
  const formats = made.get(key) ?? formatsOf(language, zone);
  made.set(key, formats);
  return formats;
}

export type Formats = ReturnType<typeof formatsOf>;

/** The language with the region of the browser, if it is of that language: English times differ by region. */
export const regional = (language: Language): string =>
  navigator.languages.find((own) => own.split('-')[0] === language) ?? language;

function formatsOf(language: Language, zone: string) {
  const timeZone = zone === '' ? undefined : zone;
  const timesIn = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(regional(language), { ...options, timeZone });
    /** @param at an instant of the API, or milliseconds since 1970 */
    return (at: string | number) => format.format(new Date(at));
  };
  const numberOf = (digits: number) => new Intl.NumberFormat(language, { maximumFractionDigits: digits });
  const numbers = [numberOf(0), numberOf(1), numberOf(2)] as const;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  return {
    number: (value: number, digits: 0 | 1 | 2 = 0) => numbers[digits].format(value),
    /** A share of 1, in percent. @param digits at least; in a column all have as many */
    share: (value: number, digits: 0 | 1 = 0) =>
      value.toLocaleString(language, {
        style: 'percent',
        minimumFractionDigits: digits,
        maximumFractionDigits: 1,
      }),
    clock: timesIn({ hour: '2-digit', minute: '2-digit' }),
    /** The time of the day with seconds. */
    time: timesIn({ timeStyle: 'medium' }),
    day: timesIn({ day: 'numeric', month: 'short' }),
    dayClock: timesIn({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
    moment: timesIn({ dateStyle: 'medium', timeStyle: 'short' }),
    /** Formats as `moment`, with seconds. */
    second: timesIn({ dateStyle: 'medium', timeStyle: 'medium' }),
    full: timesIn({ dateStyle: 'full', timeStyle: 'long' }),
    /** How far a time is from now: `3 min. ago`, `in 2 hr.` */
    ago(milliseconds: number): string {
      const seconds = Math.round(milliseconds / 1000);
      const [unit, length] = units.find(([, own]) => Math.abs(seconds) >= own) ?? ['second', 0];
      return relative.format(length === 0 ? 0 : Math.trunc(seconds / length), unit);
    },
    /** A duration in milliseconds, or in seconds from one on. */
    duration: (milliseconds: number): string =>
      (milliseconds < 1_000 ? milliseconds : milliseconds / 1_000).toLocaleString(language, {
        style: 'unit',
        unit: milliseconds < 1_000 ? 'millisecond' : 'second',
        unitDisplay: 'short',
        maximumFractionDigits: milliseconds < 1_000 ? 1 : 2,
      }),
    /** A length of time in its largest unit. */
    span(milliseconds: number): string {
      const seconds = Math.max(0, Math.round(milliseconds / 1000));
      const [unit, length] = units.find(([, own]) => seconds >= own) ?? ['second', 1];
      return Math.floor(seconds / length).toLocaleString(language, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
      });
    },
  };
}
