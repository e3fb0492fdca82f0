import { useId, useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { Table, type Column } from './panel';
import { areDays, barsOf, edgesOf, type PlotSeries } from './plot-scale';
import styles from './time-plot.module.css';

/** The words of a plot: this library has no language of its own. */
export interface PlotTexts {
  /** Heads the column of the times. */
  time: string;
  /** Opens the table with the same values. */
  asTable: string;
  /** Says which keys move the crosshair and choose a range. */
  keys: string;
  formatTime(at: string): string;
  formatValue(value: number): string;
}

export interface TimePlotProps {
  /** Names the plot. */
  label: string;
  /** One sentence of what it shows. */
  sentence: string;
  /** Start of each bucket, ISO 8601, in order and equally long. At most 720; none while they are loaded. */
  buckets: readonly string[];
  series: readonly PlotSeries[];
  texts: PlotTexts;
  /** A range was chosen: its start, and its end, exclusive. Without it, none can be chosen. */
  choose?(from: string, to: string): void;
}

/**
 * Values over time, as bars. The crosshair follows the pointer and the arrow keys; Shift with the arrow
 * keys, or dragging, chooses a range. All values are in a table below, too.
 */
export function TimePlot({ sentence, ...drawn }: TimePlotProps) {
  const id = useId();
  const [isTable, setTable] = useState(false);
  return (
    <figure className={styles.plot} aria-labelledby={`${id}-label`} aria-describedby={`${id}-sentence`}>
      <figcaption className={styles.caption}>
        <h3 id={`${id}-label`}>{drawn.label}</h3>
        <p id={`${id}-sentence`}>{sentence || blank}</p>
      </figcaption>
      <Drawing {...drawn} />
      <details onToggle={(event) => setTable(event.currentTarget.open)}>
        <summary>{drawn.texts.asTable}</summary>
        {isTable && <Values {...drawn} />}
      </details>
    </figure>
  );
}

const blank = '\u00a0';
type DrawingProps = Omit<TimePlotProps, 'sentence'>;

function Drawing({ label, buckets, series, texts, choose }: DrawingProps) {
  const { formatTime, formatValue } = texts;
  const last = buckets.length - 1;
  const [at, setAt] = useState<number | null>(null);
  /** The place where a range began; null while none is being chosen. */
  const [anchor, setAnchor] = useState<number | null>(null);
  const bars = useMemo(() => barsOf(series), [series]);
  const edges = useMemo(() => edgesOf(buckets), [buckets]);
  const shown = Math.min(at ?? last, last);
  const [from, to] = [Math.min(anchor ?? shown, shown), Math.max(anchor ?? shown, shown)];
  /** The last edge that has a name. */
  const end = areDays(buckets) ? last : last + 1;
  const timeOf = (edge: number) => (edges[edge] === undefined ? blank : formatTime(edges[edge]));

  const finish = () => {
    setAnchor(null);
    if (to > from) choose?.(edges[from]!, edges[to + 1]!);
  };
  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.round(buckets.length / 10));
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageDown: -page,
      PageUp: page,
      Home: -last,
      End: last,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (choose !== undefined) setAnchor(event.shiftKey ? (anchor ?? shown) : null);
      setAt(Math.min(last, Math.max(0, shown + step)));
    } else if (event.key === 'Enter') finish();
    else if (event.key === 'Escape') setAnchor(null);
  };
  const bucketAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * buckets.length)));
  };
  const values = series.map(({ name, values: own }) => {
    const value = own[shown] ?? null;
    return [name, value === null ? '–' : formatValue(value)] as const;
  });
  const time = anchor === null ? timeOf(shown) : `${timeOf(from)} – ${timeOf(to + end - last)}`;
  const percent = (bucket: number) => `${(100 * bucket) / buckets.length}%`;

  return (
    // Time runs from left to right in every language.
    <div className={styles.drawing} dir="ltr">
      <p className={styles.legend}>
        <span className={styles.time}>{time}</span>
        {values.map(([name, value], index) => (
          <span key={name} className={`${styles.key} ${toneOf(series[index]!)}`}>
            {name} <strong>{value}</strong>
          </span>
        ))}
      </p>
      <div className={styles.field}>
        <div className={styles.values} aria-hidden="true">
          {last >= 0 &&
            [bars.most, bars.most / 2, 0].map((value) => <span key={value}>{formatValue(value)}</span>)}
        </div>
        <div
          className={styles.canvas}
          role="slider"
          tabIndex={0}
          aria-label={`${label}. ${texts.keys}`}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={shown}
          aria-valuetext={`${time}: ${values.map((own) => own.join(' ')).join(', ')}`}
          onKeyDown={press}
          onPointerMove={(event) => setAt(bucketAt(event))}
          onPointerDown={(event) => {
            if (choose === undefined || event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setAnchor(bucketAt(event));
          }}
          onPointerUp={finish}
          onPointerCancel={() => setAnchor(null)}
          onPointerLeave={() => anchor === null && setAt(null)}
        >
          <Bars series={series} bars={bars} />
          {at !== null && (
            <span className={styles.range} style={{ left: percent(from), width: percent(to + 1 - from) }} />
          )}
        </div>
        <div className={styles.times} aria-hidden="true">
          {[0, Math.ceil(end / 2), end].map((edge, place) => (
            <span key={place}>{timeOf(edge)}</span>
          ))}
        </div>
      </div>
    </div>
  );
}

interface BarsProps {
  series: readonly PlotSeries[];
  bars: ReturnType<typeof barsOf>;
}

function Bars({ series, bars: { paths, most } }: BarsProps) {
  return (
    <svg
      viewBox={`0 0 ${series[0]?.values.length ?? 0} ${most}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {series.map((own, index) => (
        <path key={own.name} className={`${styles.bar} ${toneOf(own)}`} d={paths[index]} />
      ))}
    </svg>
  );
}

/** A small plot in a line of text. `label` is a sentence of it; the exact numbers belong beside it. */
export function Spark({ label, series }: { label: string; series: readonly PlotSeries[] }) {
  return (
    <span className={styles.spark} role="img" aria-label={label} title={label}>
      <Bars series={series} bars={barsOf(series)} />
    </span>
  );
}

function Values({ label, buckets, series, texts }: DrawingProps) {
  const columns: Column<number>[] = [
    { key: '', title: texts.time, cell: (row) => texts.formatTime(buckets[row]!) },
    ...series.map(({ name, values }) => ({
      key: name,
      title: name,
      isNumber: true,
      cell: (row: number) => {
        const value = values[row] ?? null;
        return value === null ? '–' : texts.formatValue(value);
      },
    })),
  ];
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={styles.table} role="group" aria-label={label} tabIndex={0}>
      <Table label={label} columns={columns} rows={[...buckets.keys()]} keyOf={String} />
    </div>
  );
}

const toneOf = ({ tone = 'accent' }: PlotSeries) => styles[tone];
