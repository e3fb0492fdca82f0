import type { AskedQuestion, SummaryKind } from './asked-questions';
import type { SummaryRows, TextRow } from './summary.sql';

/** How many answers have a value. */
export interface Bar {
  value: string;
  label: string;
  count: number;
  /** Of those who answered, with one decimal. */
  percent: number;
  /** False: the form or its data list does not offer it now. */
  isChoice: boolean;
  /** Of a ranking: the mean place of the value, from 1. */
  meanRank?: number;
}

export interface Bucket {
  from: number;
  to: number;
  count: number;
  percent: number;
}

/** What was answered to a question, or in a row of a table. */
export interface QuestionSummary {
  name: string;
  title: string;
  type: string;
  kind: SummaryKind;
  row: { value: string; title: string } | null;
  /** The path of `answers.<path>` in filters; null: no filter finds these answers. */
  path: string | null;
  answered: number;
  skipped: number;
  bars: Bar[];
  /** Values without a bar: how often they were given. */
  rest: { count: number; percent: number };
  numbers: { count: number; mean: number; median: number; min: number; max: number } | null;
  buckets: Bucket[];
  /** Of a rating from 0 to 10: percent of 9 and 10 less percent of 0 to 6. */
  nps: number | null;
  texts: { submissionId: string; text: string }[];
}

/** Choices that have a bar also when they were not chosen. */
const maxChoices = 100;
/** Other values with a bar. */
const maxOthers = 20;
/** Days with a bar; more are months. */
const maxDays = 31;

/** Rows of one question. */
export interface RowsOfQuestion {
  total: number;
  answered: { answered: number; values: number };
  values: { value: string; count: number; place: number }[];
  numbers: SummaryRows['numbers'][number] | undefined;
  texts: TextRow[];
}

/** @param labels of values of the data list of the question; undefined: it has none, or they are not known */
export function summaryOf(
  question: AskedQuestion,
  { total, answered: counted, values, numbers, texts }: RowsOfQuestion,
  labels?: ReadonlyMap<string, string | null>,
): QuestionSummary {
  const { member, title, type, kind, row, path } = question;
  const { answered } = counted;
  const percent = (count: number) => (answered === 0 ? 0 : Math.round((1000 * count) / answered) / 10);
  const bars = kind === 'dates' ? timeBars(values, percent) : choiceBars(question, values, percent, labels);
  const buckets = (numbers?.buckets ?? []).map((bucket) => ({ ...bucket, percent: percent(bucket.count) }));
  const shown = [...bars, ...buckets].reduce((sum, { count }) => sum + count, 0);
  const isCounted = kind !== 'texts' && kind !== 'answers';
  const rest = isCounted ? counted.values - shown : 0;
  return {
    name: member,
    title,
    type,
    kind,
    row,
    path,
    answered,
    skipped: total - answered,
    bars,
    rest: { count: rest, percent: percent(rest) },
    numbers: numbers ? measuresOf(numbers) : question.isRating ? measuresOfBars(bars) : null,
    buckets,
    nps: npsOf(question, bars),
    texts: texts.map(({ submissionId, text }) => ({ submissionId, text })),
  };
}

const measuresOf = ({ count, mean, median, min, max }: SummaryRows['numbers'][number]) => ({
  count,
  mean,
  median,
  min,
  max,
});

/** Choices in the order of the form, then the most frequent of the other values. */
function choiceBars(
  { choices, isRanked }: AskedQuestion,
  values: RowsOfQuestion['values'],
  percent: (count: number) => number,
  labels?: ReadonlyMap<string, string | null>,
): Bar[] {
  const found = new Map(values.map((row) => [row.value, row]));
  const bar = (value: string, label: string, isChoice: boolean): Bar => {
    const { count = 0, place = 0 } = found.get(value) ?? {};
    const rank = isRanked && count > 0 ? { meanRank: Math.round(place * 100) / 100 } : {};
    return { value, label, count, percent: percent(count), isChoice, ...rank };
  };
  const offered = [...choices].filter(([value]) => choices.size <= maxChoices || found.has(value));
  const others = values.filter(({ value }) => !choices.has(value)).slice(0, maxOthers);
  const bars = [
    ...offered.map(([value, label]) => bar(value, label, true)),
    ...others.map(({ value }) =>
      bar(value, labels?.get(value) ?? value, typeof labels?.get(value) === 'string'),
    ),
  ];
  return isRanked ? bars.sort((a, b) => (a.meanRank ?? Infinity) - (b.meanRank ?? Infinity)) : bars;
}

/** Days in order, or months if there are many. */
function timeBars(values: RowsOfQuestion['values'], percent: (count: number) => number): Bar[] {
  const days = values.filter(({ value }) => /^\d{4}-\d\d-\d\d$/.test(value));
  const length = days.length > maxDays ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length;
  const counts = new Map<string, number>();
  for (const { value, count } of days) {
    const time = value.slice(0, length);
    counts.set(time, (counts.get(time) ?? 0) + count);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, count]) => ({ value, label: value, count, percent: percent(count), isChoice: true }));
}

const numbered = (bars: readonly Bar[]) =>
  bars
    .filter(({ value, count }) => count > 0 && value.trim() !== '' && Number.isFinite(Number(value)))
    .map(({ value, count }) => ({ number: Number(value), count }))
    .sort((a, b) => a.number - b.number);

function measuresOfBars(bars: readonly Bar[]): QuestionSummary['numbers'] {
  const rates = numbered(bars);
  const count = rates.reduce((sum, rate) => sum + rate.count, 0);
  if (count === 0) return null;
  const at = (place: number) => {
    let upto = 0;
    return rates.find((rate) => (upto += rate.count) >= place)!.number;
  };
  return {
    count,
    mean: rates.reduce((sum, rate) => sum + rate.number * rate.count, 0) / count,
    median: (at(Math.floor((count + 1) / 2)) + at(Math.ceil((count + 1) / 2))) / 2,
    min: rates[0]!.number,
    max: rates.at(-1)!.number,
  };
}

function npsOf({ isRating, choices }: AskedQuestion, bars: readonly Bar[]): number | null {
  const isFromZeroToTen = isRating && [...choices.keys()].join() === '0,1,2,3,4,5,6,7,8,9,10';
  const rates = numbered(bars).filter(({ number }) => choices.has(String(number)));
  const count = rates.reduce((sum, rate) => sum + rate.count, 0);
  if (!isFromZeroToTen || count === 0) return null;
  const weight = (number: number) => (number >= 9 ? 1 : number <= 6 ? -1 : 0);
  return (
    Math.round((1000 * rates.reduce((sum, { number, count: of }) => sum + weight(number) * of, 0)) / count) /
    10
  );
}
