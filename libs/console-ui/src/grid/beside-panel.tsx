import { useEffect, type KeyboardEvent } from 'react';
import { Button, buttonClass } from '../controls';
import { besideLimits, permittedBesideWidth } from './columns';
import { followPointer } from './drag';
import styles from './grid.module.css';
import { RecordLink } from './record-link';
import type { Beside, GridProps } from './types';

const widthStep = 32;

export interface BesidePanelProps<Row> extends GridProps<Row> {
  beside: Beside;
  close(): void;
}

/** One row beside the grid, with the way to its neighbours. Its edge is dragged, or moved by keys. */
export function BesidePanel<Row>(props: BesidePanelProps<Row>) {
  const { beside, layout, setLayout, data, keyOf, open, texts, close } = props;
  const key = beside.key!;
  const width = layout.besideWidth;
  const index = data.rows.findIndex((row) => keyOf(row) === key);
  // The neighbours of the row are in memory before one asks for them.
  const { load, start, count } = data;
  const isAtEnd = index === data.rows.length - 1 && start + index + 1 < count;
  const isAtStart = index === 0 && start > 0;
  useEffect(() => {
    if (isAtEnd) load(start + index + 1, start + index + 2);
    else if (isAtStart) load(start - 1, start);
  }, [isAtEnd, isAtStart, load, start, index]);
  const setWidth = (next: number) => setLayout({ besideWidth: permittedBesideWidth(next) });
  const step = (title: string, sign: string, next: string | null) => (
    // It stays in the order of Tab at the end of the list, so that the focus is not lost there.
    <Button
      aria-label={title}
      title={title}
      aria-disabled={next === null}
      onClick={() => next !== null && beside.show(next)}
    >
      <span aria-hidden="true">{sign}</span>
    </Button>
  );
  return (
    <section className={styles.beside} aria-label={texts.beside} style={{ inlineSize: width }}>
      <div
        className={styles.besideHandle}
        role="separator"
        aria-orientation="vertical"
        aria-label={texts.besideWidth}
        aria-valuenow={width}
        aria-valuemin={besideLimits.min}
        aria-valuemax={besideLimits.max}
        tabIndex={0}
        onKeyDown={(event) => resizeByKey(event, width, setWidth)}
        onPointerDown={(event) => followPointer(event, (pixels) => setWidth(width - pixels))}
      />
      <div className={styles.besideBar}>
        <span className={styles.tools}>
          {step(texts.previousRow, '↑', neighbourOf(props, key, -1))}
          {step(texts.nextRow, '↓', neighbourOf(props, key, 1))}
          <RecordLink className={buttonClass} href={beside.hrefOf(key)} open={open}>
            {texts.openPage}
          </RecordLink>
        </span>
        <Button look="quiet" aria-label={texts.closeBeside} title={texts.closeBeside} onClick={close}>
          ✕
        </Button>
      </div>
      <div className={styles.besideContent} tabIndex={0} role="group" aria-label={texts.beside}>
        {beside.content(key)}
      </div>
    </section>
  );
}

/** The key of the row after (`1`) or before (`-1`) a row; null if it is not in memory. */
export function neighbourOf<Row>(
  { data: { rows }, keyOf }: Pick<GridProps<Row>, 'data' | 'keyOf'>,
  key: string,
  by: 1 | -1,
): string | null {
  const index = rows.findIndex((row) => keyOf(row) === key);
  if (index < 0) return null;
  const next = rows[index + by];
  return next === undefined ? null : keyOf(next);
}

function resizeByKey(event: KeyboardEvent<HTMLElement>, width: number, setWidth: (width: number) => void) {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  event.preventDefault();
  setWidth(width + (event.key === 'ArrowLeft' ? widthStep : -widthStep));
}
