import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { Table, type Column } from './panel';
import { barsOf, edgesOf, lineOf, niceMaximum, sumsOf } from './plot-scale';
import styles from './time-plot.module.css';

export interface PlotSeries {
  name: string;
  /** One value per bucket; null if it is not known. */
  values: readonly (number | null)[];
  tone?: 'accent' | 'good' | 'warn' | 'bad';
}

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
  /** Start of each bucket, ISO 8601, in order and equally long. At most 720. */
  buckets: readonly string[];
  series: readonly PlotSeries[];
  texts: PlotTexts;
  /** Draws counts as bars: stacked, or the first one behind the others, which are parts of it. Else lines. */
  bars?: 'stacked' | 'behind';
  /** A range was chosen: its start, and its end, exclusive. Without it, none can be chosen. */
  choose?(from: string, to: string): void;
}

/**
 * Values over time. The crosshair follows the pointer and the arrow keys; Shift with the arrow keys, or
 * dragging, chooses a range. All values are in a table below, too.
 */
export function TimePlot({ label, sentence, buckets, series, texts, bars, choose }: TimePlotProps) {
  const id = useId();
  const [isTable, setTable] = useState(false);
  const all = series.map(({ values }) => values);
  const [first = [], ...parts] = all;
  const most = niceMaximum(
    bars === undefined ? all.flat() : bars === 'behind' ? [...first, ...sumsOf(parts)] : sumsOf(all),
  );
  const shapes =
    bars === undefined ? all.map((own) => lineOf(own, most)) : barsOf(all, bars === 'behind', most);
  const edges = edgesOf(buckets);
  return (
    <figure className={styles.plot} aria-labelledby={`${id}-label`} aria-describedby={`${id}-sentence`}>
      <figcaption className={styles.caption}>
        <h3 id={`${id}-label`}>{label}</h3>
        <p id={`${id}-sentence`}>{sentence}</p>
      </figcaption>
      {buckets.length > 0 && (
        <>
          <Drawing {...{ label, buckets, series, texts, bars, choose, most, edges, shapes }} />
          <details onToggle={(event) => setTable(event.currentTarget.open)}>
            <summary>{texts.asTable}</summary>
            {isTable && <Values {...{ label, buckets, series, texts }} />}
          </details>
        </>
      )}
    </figure>
  );
}

/** The place of a plot that is being loaded, as high as the plot. */
export function TimePlotSkeleton({ label, names, asTable }: TimePlotSkeletonProps) {
  const blank = '\u00a0';
  return (
    <div className={styles.plot}>
      <div className={styles.caption}>
        <h3>{label}</h3>
        <p>{blank}</p>
      </div>
      <div className={styles.drawing}>
        <p className={styles.legend}>
          <span className={styles.time}>{blank}</span>
          {names.map((name) => (
            <span key={name} className={styles.key}>
              <span className={styles.sample} />
              {name} <strong>{blank}</strong>
            </span>
          ))}
        </p>
        <div className={styles.field}>
          <div className={styles.times}>{blank}</div>
        </div>
      </div>
      <details>
        <summary>{asTable}</summary>
      </details>
    </div>
  );
}

interface TimePlotSkeletonProps {
  label: string;
  /** The names of the series. */
  names: readonly string[];
  asTable: string;
}

interface DrawingProps extends Omit<TimePlotProps, 'sentence'> {
  most: number;
  edges: readonly string[];
  /** A path for each of the series. */
  shapes: readonly string[];
}

function Drawing(props: DrawingProps) {
  const { label, buckets, series, texts, bars, choose, most, edges, shapes } = props;
  const { formatTime, formatValue } = texts;
  const last = buckets.length - 1;
  const [at, setAt] = useState<number | null>(null);
  /** The place where a range began; null while none is being chosen. */
  const [anchor, setAnchor] = useState<number | null>(null);
  const shown = Math.min(at ?? last, last);
  const range = anchor === null ? null : ([Math.min(anchor, shown), Math.max(anchor, shown)] as const);

  const finish = () => {
    setAnchor(null);
    if (range !== null && range[1] > range[0]) choose?.(edges[range[0]]!, edges[range[1] + 1]!);
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
  const point = (event: PointerEvent) => setAt(bucketAt(event));
  const values = series.map(({ name, values: own }) => [name, own[shown] ?? null] as const);
  const worded = (value: number | null) => (value === null ? '–' : formatValue(value));
  const rangeText =
    range === null ? '' : `${formatTime(edges[range[0]]!)} – ${formatTime(edges[range[1] + 1]!)}. `;
  const spoken = `${rangeText}${formatTime(buckets[shown]!)}: ${values.map(([name, value]) => `${name} ${worded(value)}`).join(', ')}`;
  const shapeOf = (index: number) =>
    bars === undefined
      ? `${styles.line} ${dashOf(index)}`
      : `${styles.bar} ${bars === 'behind' && index === 0 ? styles.behind : ''}`;
  const percent = (bucket: number) => `${(100 * bucket) / buckets.length}%`;

  return (
    // Time runs from left to right in every language.
    <div className={styles.drawing} dir="ltr">
      <p className={styles.legend}>
        <span className={styles.time}>{rangeText || formatTime(buckets[shown]!)}</span>
        {values.map(([name, value], index) => (
          <span key={name} className={`${styles.key} ${toneOf(series[index]!, index)}`}>
            <svg className={styles.sample} viewBox="0 0 18 4" aria-hidden="true">
              <path className={shapeOf(index)} d={bars === undefined ? 'M0 2H18' : 'M1 1H17V3H1Z'} />
            </svg>
            {name} <strong>{worded(value)}</strong>
          </span>
        ))}
      </p>
      <div className={styles.field}>
        <div className={styles.values} aria-hidden="true">
          <span>{formatValue(most)}</span>
          <span>{formatValue(most / 2)}</span>
          <span>{formatValue(0)}</span>
        </div>
        <div
          className={styles.canvas}
          role="slider"
          tabIndex={0}
          aria-label={`${label}. ${texts.keys}`}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={shown}
          aria-valuetext={spoken}
          onKeyDown={press}
          onPointerMove={point}
          onPointerDown={(event) => {
            if (choose === undefined || event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setAnchor(bucketAt(event));
          }}
          onPointerUp={finish}
          onPointerCancel={() => setAnchor(null)}
          onPointerLeave={() => anchor === null && setAt(null)}
        >
          <svg viewBox={`0 0 ${buckets.length} 100`} preserveAspectRatio="none" aria-hidden="true">
            {[0, 50, 100].map((y) => (
              <path key={y} className={styles.grid} d={`M0 ${y}H${buckets.length}`} />
            ))}
            {series.map((own, index) => (
              <g key={own.name} className={toneOf(own, index)}>
                <path className={shapeOf(index)} d={shapes[index]} />
              </g>
            ))}
          </svg>
          {range !== null && (
            <span
              className={styles.range}
              style={{ left: percent(range[0]), width: percent(range[1] + 1 - range[0]) }}
            />
          )}
          {at !== null && (
            <span className={styles.crosshair} style={{ left: percent(shown), width: percent(1) }} />
          )}
        </div>
        <div className={styles.times} aria-hidden="true">
          <span>{formatTime(edges[0]!)}</span>
          <span>{formatTime(edges[Math.floor(edges.length / 2)]!)}</span>
          <span>{formatTime(edges.at(-1)!)}</span>
        </div>
      </div>
    </div>
  );
}

function Values({ label, buckets, series, texts }: Omit<TimePlotProps, 'sentence'>) {
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

const tones = ['accent', 'good', 'warn', 'bad'] as const;
const toneOf = ({ tone }: PlotSeries, index: number) => styles[tone ?? tones[index % tones.length]!];
/** Lines differ without their colour, too. */
const dashOf = (index: number) => [styles.solid, styles.dashed, styles.dotted][index % 3];
