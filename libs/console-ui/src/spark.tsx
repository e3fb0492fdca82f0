import styles from './spark.module.css';

export interface SparkProps {
  /** A sentence of what it shows. The exact numbers belong beside it. */
  label: string;
  /** One bar for each part of the time; `bad` is a part of `all`. */
  bars: readonly { all: number; bad: number }[];
}

/** Pixels. */
const height = 22;

/** A small plot in a line of text: how much there was, and how much of it was bad. */
export function Spark({ label, bars }: SparkProps) {
  const most = Math.max(1, ...bars.map(({ all }) => all));
  // What there was is visible, however little.
  const sizeOf = (value: number) => (value === 0 ? 0 : Math.max(1.5, (value / most) * height));
  return (
    <svg
      className={styles.spark}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length * 6} ${height}`}
      preserveAspectRatio="none"
      height={height}
    >
      <title>{label}</title>
      {bars.map(({ all, bad }, index) => (
        // Parts of the time have no identity but their place.
        <g key={index}>
          <rect
            className={styles.all}
            x={index * 6}
            y={height - sizeOf(all)}
            width={4}
            height={sizeOf(all)}
          />
          <rect
            className={styles.bad}
            x={index * 6}
            y={height - sizeOf(bad)}
            width={4}
            height={sizeOf(bad)}
          />
        </g>
      ))}
      <rect className={styles.ground} x={0} y={height - 0.5} width={bars.length * 6} height={0.5} />
    </svg>
  );
}
