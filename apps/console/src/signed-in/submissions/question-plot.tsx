import type { components } from '@canvass/client';
import { Button, ForeignText } from '@canvass/console-ui';
import { memo, useId, useState } from 'react';
import { Link } from 'wouter';
import { usePreferences } from '../../i18n';
import { useFormats } from '../formats';
import lists from '../list.module.css';
import { writeFilter } from './filter-text';
import { useSummaryTexts } from './summary-texts';
import styles from './summary.module.css';

export type QuestionSummary = components['schemas']['QuestionSummary'];

interface QuestionPlotProps {
  formId: string;
  question: QuestionSummary;
  /** The filters of the page, which those of the bars are added to. */
  search: URLSearchParams;
}

/** A row of a plot. */
interface PlotRow {
  key: string;
  label: string;
  note?: string;
  count: number;
  percent: number;
  rank?: number | undefined;
  /** The filters that show its submissions; null: there are none. */
  filters: string[] | null;
}

/** The answers to one question: a table with bars, measures and texts. */
export const QuestionPlot = memo(function QuestionPlot({ formId, question, search }: QuestionPlotProps) {
  const texts = useSummaryTexts();
  const { number } = useFormats();
  const id = useId();
  const { title, row, kind, path, answered, skipped, numbers, nps } = question;
  const measures = (['mean', 'median', 'min', 'max'] as const).map(
    (name) => [texts[name], numbers && number(numbers[name], 2)] as const,
  );
  const facts = [[texts.nps, nps === null ? null : number(nps)] as const, ...measures].filter(
    ([, value]) => value !== null,
  );
  const rows = useRows(question);
  const unanswered =
    path === null ? null : [writeFilter({ field: `answers.${path}`, operator: ':', values: [null] })];
  return (
    <section className={styles.question} aria-labelledby={id}>
      <h3 id={id}>
        <ForeignText>{title}</ForeignText>
        {row !== null && (
          <>
            {' – '}
            <ForeignText>{row.title}</ForeignText>
          </>
        )}
      </h3>
      <p className={styles.sub}>
        {texts.answered(number(answered))} ·{' '}
        <ToRows href={hrefOf(formId, search, unanswered)}>{texts.skipped(number(skipped))}</ToRows>
      </p>
      {facts.length > 0 && (
        <dl className={styles.measures}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt> <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {rows.length > 0 && answered + rows.length > 0 && (
        <Bars labelledBy={id} rows={rows} hrefOf={(filters) => hrefOf(formId, search, filters)} />
      )}
      {kind === 'answers' && <p className={styles.sub}>{texts.onlyCounted}</p>}
      {kind !== 'choices' && kind !== 'answers' && answered === 0 && (
        <p className={styles.sub}>{texts.unanswered}</p>
      )}
      {question.texts.length > 0 && (
        <>
          <h4>{texts.newest}</h4>
          <ul className={styles.texts}>
            {question.texts.map(({ submissionId, text }) => (
              <li key={submissionId}>
                <Link href={`/forms/${formId}/submissions/${submissionId}`}>
                  <ForeignText>{text}</ForeignText>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
});

function useRows({ kind, path, bars, buckets, rest }: QuestionSummary): PlotRow[] {
  const texts = useSummaryTexts();
  const { number } = useFormats();
  const { language } = usePreferences();
  const filterOf = (operator: string, value: string | null) =>
    path === null ? [] : [writeFilter({ field: `answers.${path}`, operator, values: [value] })];
  const isSaid = (edge: number) => /^-?\d{1,20}(\.\d{1,20})?$/.test(String(edge));
  const ofBars = bars.map(({ value, label, count, percent, isChoice, meanRank }) => ({
    key: `bar ${value}`,
    label: kind === 'dates' ? dateOf(value, language) : label,
    ...(!isChoice && { note: texts.former }),
    count,
    percent,
    rank: meanRank,
    // The grammar has no empty value, and no part of a date.
    filters: kind === 'dates' || value === '' || path === null ? null : filterOf(':', value),
  }));
  const ofBuckets = buckets.map(({ from, to, count, percent }) => ({
    key: `bucket ${from}`,
    label: texts.fromTo(number(from, 2), number(to, 2)),
    count,
    percent,
    filters:
      path !== null && isSaid(from) && isSaid(to)
        ? [...filterOf('>:', String(from)), ...filterOf('<', String(to))]
        : null,
  }));
  const others = { key: 'rest', label: texts.rest, ...rest, filters: null };
  return [...ofBars, ...ofBuckets, ...(rest.count > 0 ? [others] : [])];
}

/** A day or a month, which have no zone. */
function dateOf(value: string, language: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  const isDay = value.length > 'YYYY-MM'.length;
  return date.toLocaleDateString(language, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    ...(isDay && { day: 'numeric' }),
  });
}

function hrefOf(formId: string, search: URLSearchParams, filters: string[] | null): string | null {
  if (filters === null) return null;
  const query = new URLSearchParams(search);
  for (const name of ['after', 'before', 'row']) query.delete(name);
  for (const filter of filters) query.append('where', filter);
  return `/forms/${formId}/submissions?${query}`;
}

function ToRows({ href, children }: { href: string | null; children: React.ReactNode }) {
  return href === null ? <>{children}</> : <Link href={href}>{children}</Link>;
}

/** Bars that are shown before one asks for the others. */
const atFirst = 12;

interface BarsProps {
  labelledBy: string;
  rows: readonly PlotRow[];
  hrefOf(filters: string[] | null): string | null;
}

function Bars({ labelledBy, rows, hrefOf: linkOf }: BarsProps) {
  const texts = useSummaryTexts();
  const { number, share } = useFormats();
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? rows : rows.slice(0, atFirst);
  const isRanked = rows.some(({ rank }) => rank !== undefined);
  return (
    <>
      <table className={styles.bars} aria-labelledby={labelledBy}>
        <thead>
          <tr>
            <th>{texts.answer}</th>
            <th>{texts.count}</th>
            <th>{texts.share}</th>
            {isRanked && <th>{texts.meanRank}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, label, note, count, percent, rank, filters }) => (
            <tr key={key}>
              <th scope="row" style={{ '--share': `${Math.min(100, percent)}%` } as React.CSSProperties}>
                <ToRows href={linkOf(filters)}>
                  <ForeignText>{label}</ForeignText>
                </ToRows>
                {note !== undefined && <small className={lists.soft}> ({note})</small>}
                <span className={styles.bar} aria-hidden="true" />
              </th>
              <td>{number(count)}</td>
              <td>{share(percent / 100, 1)}</td>
              {isRanked && <td>{rank === undefined ? '' : number(rank, 2)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <Button look="quiet" onClick={() => setIsAll(true)}>
          {texts.more(number(rows.length - shown.length))}
        </Button>
      )}
    </>
  );
}
