import {
  cellsOf,
  emptyRow,
  faultsOf,
  isTable,
  itemsOf,
  rowOf,
  rowsOf,
  withCell,
  withMoved,
  withPasted,
} from '../src/signed-in/data-lists/edited-rows';

const keys = ['default', 'nl'];
const items = [
  { value: 'K', labels: { default: 'Köln', nl: 'Keulen' } },
  { value: 'W', labels: { default: 'Wien' } },
];
const cells = (rows: { cells: string[] }[]) => rows.map((row) => row.cells);

describe('rows of a list that is edited', () => {
  it('are those of its items, and become items again without empty rows and labels', () => {
    const rows = rowsOf(items, keys);
    expect(cells(rows)).toEqual([
      ['K', 'Köln', 'Keulen'],
      ['W', 'Wien', ''],
    ]);
    expect(itemsOf([...rows, emptyRow(3), rowOf([' ', '', ' '])], keys)).toEqual(items);
  });

  it('change a cell and move, each with its key', () => {
    const rows = rowsOf(items, keys);
    expect(cells(withCell(rows, { row: 1, column: 2 }, 'Wenen'))[1]).toEqual(['W', 'Wien', 'Wenen']);
    const moved = withMoved(rows, 1, -1);
    expect(moved.map(({ key }) => key)).toEqual([rows[1]!.key, rows[0]!.key]);
    expect(withMoved(rows, 0, -1)).toEqual(rows);
    expect(withMoved(rows, 1, 1)).toEqual(rows);
  });

  it('take cells of a spreadsheet from a place on, and grow', () => {
    const rows = rowsOf(items, keys);
    const text = 'Vienna\tWenen\tleft out\r\n"a ""quoted""\tcell"\t"two\nlines"\r\n';
    expect(isTable(text)).toBe(true);
    expect(cells(withPasted(rows, { row: 1, column: 1 }, text))).toEqual([
      ['K', 'Köln', 'Keulen'],
      ['W', 'Vienna', 'Wenen'],
      ['', 'a "quoted"\tcell', 'two lines'],
    ]);
    const exported = 'value\tdefault\tnl\nB\tBern\t\n';
    expect(cells(withPasted([emptyRow(3)], { row: 0, column: 0 }, exported))).toEqual([['B', 'Bern', '']]);
    expect([isTable('one cell'), isTable('one cell\r\n')]).toEqual([false, false]);
    expect(cellsOf('"open\tb')).toEqual([['"open', 'b']]);
  });

  it('name what is missing or repeated', () => {
    const rows = [
      ['', 'x', ''],
      ['a', ' ', ''],
      ['', '', ''],
      ['b', 'B', ''],
      ['b', 'B', ''],
    ].map(rowOf);
    expect(faultsOf(rows)).toEqual([
      { row: 0, column: 0, rule: 'value missing' },
      { row: 1, column: 1, rule: 'label missing' },
      { row: 4, column: 0, rule: 'value repeated' },
    ]);
  });
});
