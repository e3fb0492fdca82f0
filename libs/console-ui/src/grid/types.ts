import type { ReactNode } from 'react';
import type { GridColumn, GridLayout } from './columns';
import type { ListBarProps } from './list-bar';
import type { Selection } from './selection';

/** The rows of a list, of which a part is in memory. */
export interface GridRows<Row> {
  /** Rows in memory, which follow each other. */
  rows: readonly Row[];
  /** Position of the first of them in the list. */
  start: number;
  /** Number of rows that one can scroll to. */
  count: number;
  /** Number of rows of the whole list; null while it is unknown. */
  total: number | null;
  totalIsExact: boolean;
  /** Loads the rows at these positions. Called if some of those in sight or near them are not in memory. */
  load(from: number, to: number): void;
}

export interface GridSort {
  /** Key of a column. */
  key: string;
  direction: 'asc' | 'desc';
}

/** The row that is shown beside a grid. */
export interface Beside {
  /** Null if none is shown. */
  key: string | null;
  show(key: string | null): void;
  /** Renders what is shown of it. */
  content(key: string): ReactNode;
  /** Address of its page. */
  hrefOf(key: string): string;
}

/** The texts of a grid in the language of the user. */
export interface GridTexts {
  /** Names the buttons of the list. */
  tools: string;
  /** Names the menu of what is needed rarely. */
  more: string;
  columns: string;
  findColumn: string;
  moveUp(title: string): string;
  moveDown(title: string): string;
  pin(title: string): string;
  resetColumns: string;
  density: string;
  compact: string;
  normal: string;
  wide: string;
  plainPages: string;
  keys: string;
  /** Keys and what they do. */
  keyList: readonly (readonly [keys: string, action: string])[];
  /** Says how many rows there are. */
  rowCount(total: string): string;
  refresh: string;
  select: string;
  selected(count: number): string;
  selectedAll: string;
  selectAll: string;
  clearSelection: string;
  copied(cells: number): string;
  earlierRows: string;
  laterRows: string;
  rowsFromTo(from: string, to: string): string;
  /** Names the button that shows a row beside the grid, and that part of the page. */
  beside: string;
  previousRow: string;
  nextRow: string;
  openPage: string;
  closeBeside: string;
  besideWidth: string;
}

export interface GridProps<Row> {
  /** Names the grid for screen readers. */
  label: string;
  /** The controls of the list beside those of the grid. */
  bar: Omit<ListBarProps, 'label'>;
  /** Returns whether rows are being read again. */
  isBusy: boolean;
  /** Shown in place of the rows while there are none to show: they are loaded, or refused. */
  instead: ReactNode;
  /** Returns whether cells have controls, or differ in height: the rows then are pages of a plain table. */
  isTable?: boolean;
  columns: readonly GridColumn<Row>[];
  layout: GridLayout;
  setLayout(change: Partial<GridLayout>): void;
  data: GridRows<Row>;
  keyOf(row: Row): string;
  /** Address of the page of a row; null: the row has no page. */
  hrefOf(row: Row): string | null;
  /** Opens that page. */
  open(href: string): void;
  sort?: GridSort;
  setSort?(sort: GridSort): void;
  /** Without it rows cannot be selected. */
  selection?: Selection;
  setSelection?(selection: Selection): void;
  /** Shown while rows are selected: what can be done with them. */
  actions?: ReactNode;
  /** Without it rows are not shown beside the grid. */
  beside?: Beside;
  /** Reads the list again from its start. */
  refresh(): void;
  /** Shown in place of the rows if there are none. The columns stay. */
  empty: ReactNode;
  texts: GridTexts;
  /** Language of numbers. */
  language: string;
}
