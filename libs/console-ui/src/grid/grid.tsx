import { useMemo, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { Button } from '../controls';
import { BesidePanel, neighbourOf } from './beside-panel';
import { ColumnChooser } from './column-chooser';
import panel from '../panel.module.css';
import { placed } from './columns';
import { GridMenu } from './grid-menu';
import styles from './grid.module.css';
import { ListBar } from './list-bar';
import { PlainPages } from './plain-pages';
import { nothingSelected } from './selection';
import type { GridProps } from './types';
import { VirtualRows } from './virtual-rows';

/** First columns that a card on a narrow screen shows. */
const cardColumns = 3;

/**
 * A list of any length: rows and columns in sight only, keys for everything, and columns as the user chose
 * them. It fills the width of its panel.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, bar, isBusy, instead, isTable = false } = props;
  const { columns, layout, setLayout, data, keyOf, beside, texts, language } = props;
  const { selection = nothingSelected, setSelection, actions, refresh } = props;
  const isNarrow = useIsNarrow();
  const [hasKeys, setHasKeys] = useState(false);
  const [announced, announce] = useState('');
  const shown = useMemo(() => placed(columns, layout).filter(({ isHidden }) => !isHidden), [columns, layout]);
  const onCards = shown.filter(({ isOnCard }, index) => index < cardColumns || isOnCard);
  const rowCount =
    instead === null &&
    data.total !== null &&
    texts.rowCount(`${data.total.toLocaleString(language)}${data.totalIsExact ? '' : '+'}`);
  const count = selection.isAll ? null : selection.keys.size;
  const isPlain = layout.isPlain || isNarrow || isTable;
  const focused = useRef<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const shownBeside = isPlain || beside === undefined ? null : beside.key;
  const toggleBeside = () => {
    const first = data.rows[0];
    const key = focused.current ?? (first === undefined ? null : keyOf(first));
    beside?.show(beside.key === null ? key : null);
  };
  const closeBeside = () => {
    beside?.show(null);
    frame.current?.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true });
  };
  /** J and K lead through the rows, also from within the row that is shown beside the grid. */
  const onKeyDown = (event: KeyboardEvent) => {
    const isOtherKey = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
    const isTyping = (event.target as Element).closest('input, textarea, select, [contenteditable]') !== null;
    if (shownBeside === null || isOtherKey || isTyping) return;
    if (event.key === 'Escape') closeBeside();
    else if (event.key === 'j' || event.key === 'k') {
      const next = neighbourOf(props, shownBeside, event.key === 'j' ? 1 : -1);
      if (next !== null) beside!.show(next);
    } else return;
    event.preventDefault();
  };
  const toggleKeys = () => setHasKeys((has) => !has);
  return (
    <section className={panel.panel} aria-label={label} aria-busy={isBusy}>
      <ListBar
        {...bar}
        label={texts.tools}
        end={
          <>
            {!isNarrow && (
              <>
                <span>{rowCount}</span>
                <ColumnChooser columns={columns} layout={layout} setLayout={setLayout} texts={texts} />
              </>
            )}
            {bar.end}
            <GridMenu
              layout={layout}
              setLayout={setLayout}
              texts={texts}
              rowCount={isNarrow && rowCount}
              hasLooks={!isNarrow && !isTable}
              refresh={refresh}
              toggleBeside={isPlain || beside === undefined ? undefined : toggleBeside}
              toggleKeys={toggleKeys}
            />
          </>
        }
      />
      {hasKeys && !isNarrow && (
        <dl className={styles.keys}>
          {texts.keyList.map(([keys, action]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{action}</dd>
            </div>
          ))}
        </dl>
      )}
      {instead === null && setSelection !== undefined && count !== 0 && (
        <div className={styles.selection}>
          <strong role="status">{count === null ? texts.selectedAll : texts.selected(count)}</strong>
          {actions}
          {count !== null && <Button onClick={() => setSelection({ isAll: true })}>{texts.selectAll}</Button>}
          <Button look="quiet" onClick={() => setSelection(nothingSelected)}>
            {texts.clearSelection}
          </Button>
        </div>
      )}
      {instead !== null ? (
        instead
      ) : isPlain ? (
        <PlainPages {...props} shown={isNarrow && !isTable ? onCards : shown} />
      ) : (
        <div className={styles.frame} ref={frame} onKeyDown={onKeyDown}>
          <div className={styles.rows}>
            <VirtualRows
              {...props}
              shown={shown}
              announce={announce}
              showKeys={toggleKeys}
              focused={focused}
            />
          </div>
          {shownBeside !== null && <BesidePanel {...props} beside={beside!} close={closeBeside} />}
        </div>
      )}
      <span role="status" className={styles.unseen}>
        {announced}
      </span>
    </section>
  );
}

const narrow = matchMedia('(max-width: 600px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Returns whether the screen is as narrow as that of a telephone. */
const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
