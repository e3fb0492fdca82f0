import fc from 'fast-check';
import { tsvOf } from '../src/grid/clipboard';
import {
  defaultLayout,
  isSameLayout,
  layoutChanges,
  layoutOf,
  moved,
  placed,
  type GridColumn,
} from '../src/grid/columns';
import { columnWindow, rowWindow, scrollTo } from '../src/grid/geometry';
import { cellAfter } from '../src/grid/navigation';
import { extended, isSelected, nothingSelected, toggled } from '../src/grid/selection';

const counts = fc.integer({ min: 1, max: 5_000_000 });
const heights = fc.constantFrom(28, 34, 44);
const visible = 600;

describe('the rows in sight', () => {
  it('are rendered wherever one scrolls, and never many more', () => {
    fc.assert(
      fc.property(counts, heights, fc.double({ min: 0, max: 1, noNaN: true }), (count, height, part) => {
        const { range } = rowWindow(count, height, { scrolled: 0, visible });
        const scrolled = part * Math.max(0, range - visible);
        const { from, to, topOf } = rowWindow(count, height, { scrolled, visible });
        expect(to - from).toBeLessThan(visible / height + 20);
        if (from > 0) expect(topOf(from)).toBeLessThanOrEqual(scrolled);
        if (to < count) expect(topOf(to)).toBeGreaterThanOrEqual(scrolled + visible);
      }),
    );
  });

  it('include the last row of a list that is longer than the scroll range of a browser', () => {
    const count = 1_000_000;
    const { range } = rowWindow(count, 28, { scrolled: 0, visible });
    expect(range).toBe(10_000_000);
    const scrolled = range - visible;
    const end = rowWindow(count, 28, { scrolled, visible });
    expect(end.to).toBe(count);
    expect(end.topOf(count - 1) + 28).toBeCloseTo(range, 3);
  });

  it('include the row that one goes to', () => {
    fc.assert(
      fc.property(counts, heights, fc.double({ min: 0, max: 1, noNaN: true }), (count, height, part) => {
        const position = Math.floor(part * (count - 1));
        const scrolled = scrollTo(position, count, height, { scrolled: 0, visible });
        const { topOf } = rowWindow(count, height, { scrolled, visible });
        expect(topOf(position)).toBeGreaterThanOrEqual(scrolled - 0.01);
        expect(topOf(position) + height).toBeLessThanOrEqual(scrolled + visible + 0.01);
      }),
    );
  });

  it('stay where they are if the row is visible', () => {
    expect(scrollTo(10, 1000, 28, { scrolled: 100, visible })).toBe(100);
  });
});

it('of a thousand columns only those in sight are rendered', () => {
  const widths = Array.from({ length: 1000 }, () => 100);
  expect(columnWindow(widths, 200, { scrolled: 0, visible: 1000 })).toEqual({ from: 0, to: 10 });
  expect(columnWindow(widths, 200, { scrolled: 50_000, visible: 1000 })).toEqual({ from: 498, to: 510 });
  expect(columnWindow(widths, 200, { scrolled: 99_200, visible: 1000 })).toEqual({ from: 990, to: 1000 });
  expect(columnWindow([], 0, { scrolled: 0, visible: 1000 })).toEqual({ from: 0, to: 0 });
});

describe('keys', () => {
  const size = { rows: 100, columns: 5, page: 20 };
  const after = (key: string, isCtrl: boolean) => cellAfter({ row: 50, column: 2 }, { key, isCtrl }, size);

  it.each([
    ['ArrowDown', false, { row: 51, column: 2 }],
    ['ArrowUp', false, { row: 49, column: 2 }],
    ['ArrowRight', false, { row: 50, column: 3 }],
    ['ArrowLeft', false, { row: 50, column: 1 }],
    ['PageDown', false, { row: 70, column: 2 }],
    ['PageUp', false, { row: 30, column: 2 }],
    ['Home', false, { row: 50, column: 0 }],
    ['End', false, { row: 50, column: 4 }],
    ['Home', true, { row: 0, column: 0 }],
    ['End', true, { row: 99, column: 4 }],
    ['ArrowRight', true, null],
    ['x', false, null],
  ])('%s (Ctrl: %s)', (key, isCtrl, cell) => {
    expect(after(key, isCtrl)).toEqual(cell);
  });

  it('lead to the titles and never out of the grid', () => {
    const keys = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'PageDown', 'PageUp', 'Home', 'End'];
    const cells = fc.record({ row: fc.integer({ min: -1, max: 9 }), column: fc.nat(4) });
    fc.assert(
      fc.property(cells, fc.constantFrom(...keys), fc.boolean(), (cell, key, isCtrl) => {
        const small = { rows: 10, columns: 5, page: 4 };
        const { row, column } = cellAfter(cell, { key, isCtrl }, small) ?? cell;
        expect([row >= -1, row < 10, column >= 0, column < 5]).toEqual([true, true, true, true]);
      }),
    );
    const up = { key: 'ArrowUp', isCtrl: false };
    expect(cellAfter({ row: 0, column: 1 }, up, size)).toEqual({ row: -1, column: 1 });
  });
});

describe('a selection', () => {
  it('is of rows, or of all that match', () => {
    const one = toggled(nothingSelected, 'a');
    expect([isSelected(one, 'a'), isSelected(one, 'b')]).toEqual([true, false]);
    expect(isSelected(toggled(one, 'a'), 'a')).toBe(false);
    expect(isSelected(extended(one, ['b', 'c']), 'c')).toBe(true);
    expect(isSelected({ isAll: true }, 'z')).toBe(true);
    expect(toggled({ isAll: true }, 'z')).toEqual({ isAll: false, keys: new Set(['z']) });
  });
});

describe('copied cells', () => {
  it('are tab-separated, and no spreadsheet runs them', () => {
    expect(
      tsvOf([
        ['a', '=1+1'],
        ['-2', 'b\tc'],
        ['"', '＝x'],
      ]),
    ).toBe('a\t\'=1+1\n\'-2\t"b\tc"\n""""\t\'＝x');
  });
});

describe('the columns', () => {
  const column = (key: string, rest: object = {}): GridColumn<object> => ({
    key,
    title: key,
    width: 100,
    cell: () => null,
    text: () => '',
    ...rest,
  });
  const columns = [
    column('a', { isPinned: true }),
    column('b'),
    column('c', { isHidden: true }),
    column('d'),
  ];
  const keys = (layout = defaultLayout) => placed(columns, layout).map(({ key }) => key);

  it('are in the order of the page until a user changes it', () => {
    expect(keys()).toEqual(['a', 'b', 'c', 'd']);
    const layout = moved(columns, defaultLayout, 'd', 'b');
    expect(keys(layout)).toEqual(['a', 'd', 'b', 'c']);
    expect(keys(moved(columns, layout, 'd', 'c'))).toEqual(['a', 'b', 'c', 'd']);
    expect(moved(columns, layout, 'd', 'unknown')).toBe(layout);
  });

  it('that the layout does not know follow it', () => {
    expect(keys({ ...defaultLayout, order: ['d', 'gone'] })).toEqual(['a', 'd', 'b', 'c']);
  });

  it('are pinned, shown and as wide as the user chose', () => {
    const layout = {
      ...defaultLayout,
      pinned: { a: false, d: true },
      hidden: { c: false },
      widths: { b: 80 },
    };
    expect(placed(columns, layout).map(({ key, isHidden, width }) => [key, isHidden, width])).toEqual([
      ['d', false, 100],
      ['a', false, 100],
      ['b', false, 80],
      ['c', false, 100],
    ]);
  });

  it.each([[null], [7], ['x'], [{ order: [1], hidden: { a: 'yes' }, widths: { a: -1, b: 1e9 } }]])(
    'have their own layout if the stored one is %j',
    (stored) => {
      expect(layoutOf(stored)).toEqual(defaultLayout);
    },
  );

  it('have the stored layout', () => {
    const stored = { ...defaultLayout, order: ['d'], widths: { a: 120 }, density: 'compact', isPlain: true };
    expect(layoutOf(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  it('has changes, from which it is made again', () => {
    const layout = { ...defaultLayout, hidden: { a: true }, besideWidth: 500 };
    expect(layoutChanges(layout)).toEqual({ hidden: { a: true }, besideWidth: 500 });
    expect(layoutOf(layoutChanges(layout))).toEqual(layout);
    expect(layoutChanges(defaultLayout)).toEqual({});
  });

  it('is the same in whichever order it was changed', () => {
    const one = { ...defaultLayout, widths: { a: 60, b: 70 } };
    expect(isSameLayout(one, { ...defaultLayout, widths: { b: 70, a: 60 } })).toBe(true);
    expect(isSameLayout(one, { ...one, order: ['b'] })).toBe(false);
  });
});
