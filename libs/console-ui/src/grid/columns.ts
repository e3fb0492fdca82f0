import type { ReactNode } from 'react';

/** A column of a grid. */
export interface GridColumn<Row> {
  /** Unique in its grid; the layout of a user refers to it. */
  key: string;
  title: string;
  /** Heading above related columns in the list of columns. */
  group?: string;
  /** Pixels before a user changes it. */
  width?: number;
  /** Returns whether it stays at the start of the grid until a user changes that. */
  isPinned?: boolean;
  /** Returns whether it is hidden until a user shows it. */
  isHidden?: boolean;
  /** Returns whether the API can sort by it; `sort` of the grid then names its key. */
  isSortable?: boolean;
  /** Returns whether its cells are the links to the pages of the rows. */
  isLink?: boolean;
  /** Returns whether a narrow screen shows it, beside the first columns. */
  isOnCard?: boolean;
  /** Numbers are aligned at their end. */
  isNumber?: boolean;
  cell(row: Row): ReactNode;
  /** The value as text, for the clipboard. */
  text?(row: Row): string;
}

/** Pixels of a column whose page names no width. */
const defaultWidth = 180;

export const densities = ['compact', 'normal', 'wide'] as const;
export type Density = (typeof densities)[number];

/** Height of a row in pixels. */
export const rowHeights: Readonly<Record<Density, number>> = { compact: 28, normal: 34, wide: 44 };

/** The changes of a user to the columns of a grid. What is absent is as the page defines it. */
export interface GridLayout {
  /** Keys in the chosen order. Columns that are not named follow in the order of the page. */
  order: readonly string[];
  hidden: Readonly<Record<string, boolean>>;
  pinned: Readonly<Record<string, boolean>>;
  widths: Readonly<Record<string, number>>;
  density: Density;
  /** Returns whether the rows are pages of a plain table. */
  isPlain: boolean;
  /** Pixels of the row that is shown beside the grid. */
  besideWidth: number;
}

export const defaultLayout: GridLayout = {
  order: [],
  hidden: {},
  pinned: {},
  widths: {},
  density: 'normal',
  isPlain: false,
  besideWidth: 420,
};

const widthLimits = { min: 56, max: 900 };
export const besideLimits = { min: 280, max: 900 };

/** A width within the limits. */
export const permittedWidth = (width: number): number =>
  Math.round(Math.min(widthLimits.max, Math.max(widthLimits.min, width)));

/** A width of the row beside the grid within the limits. */
export const permittedBesideWidth = (width: number): number =>
  Math.round(Math.min(besideLimits.max, Math.max(besideLimits.min, width)));

/** A column as a user sees it. */
export type PlacedColumn<Row> = GridColumn<Row> & { isPinned: boolean; isHidden: boolean; width: number };

/** All columns with the changes of the user: pinned ones first, each part in the chosen order. */
export function placed<Row>(columns: readonly GridColumn<Row>[], layout: GridLayout): PlacedColumn<Row>[] {
  const rank = new Map(layout.order.map((key, index) => [key, index]));
  const all = columns.map((column, index) => ({
    ...column,
    isPinned: layout.pinned[column.key] ?? column.isPinned ?? false,
    isHidden: layout.hidden[column.key] ?? column.isHidden ?? false,
    width: layout.widths[column.key] ?? column.width ?? defaultWidth,
    rank: rank.get(column.key) ?? layout.order.length + index,
  }));
  return all.sort((a, b) => Number(b.isPinned) - Number(a.isPinned) || a.rank - b.rank);
}

/** The layout with a column moved to the place of another one. */
export function moved<Row>(
  columns: readonly GridColumn<Row>[],
  layout: GridLayout,
  key: string,
  target: string,
): GridLayout {
  const order = placed(columns, layout).map((column) => column.key);
  const from = order.indexOf(key);
  const to = order.indexOf(target);
  if (from < 0 || to < 0) return layout;
  order.splice(to, 0, ...order.splice(from, 1));
  return { ...layout, order };
}

/** The layout of a stored value. Members that have another shape, also of another version, are ignored. */
export function layoutOf(stored: unknown): GridLayout {
  const values = entries(stored);
  const order = Array.isArray(values['order']) ? (values['order'] as unknown[]) : [];
  const isBoolean = (value: unknown) => typeof value === 'boolean';
  const besideWidth = values['besideWidth'];
  const isWidth = (value: unknown) => typeof value === 'number' && permittedWidth(value) === value;
  return {
    order: order.filter((key) => typeof key === 'string'),
    hidden: only<boolean>(values['hidden'], isBoolean),
    pinned: only<boolean>(values['pinned'], isBoolean),
    widths: only<number>(values['widths'], isWidth),
    density: densities.find((density) => density === values['density']) ?? defaultLayout.density,
    isPlain: values['isPlain'] === true,
    besideWidth:
      typeof besideWidth === 'number' && permittedBesideWidth(besideWidth) === besideWidth
        ? besideWidth
        : defaultLayout.besideWidth,
  };
}

/** The members of a layout that are not as the page defines them. */
export const layoutChanges = (layout: GridLayout): Partial<GridLayout> =>
  Object.fromEntries(
    Object.entries(layoutOf(layout)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultLayout[name as keyof GridLayout]),
    ),
  );

/** Returns whether two layouts look the same, in whichever order their members were changed. */
export const isSameLayout = (one: GridLayout, other: GridLayout): boolean => normal(one) === normal(other);

const normal = (layout: GridLayout): string =>
  JSON.stringify(layoutChanges(layout), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

const entries = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const only = <T>(value: unknown, isValid: (member: unknown) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(entries(value)).filter(([, member]) => isValid(member))) as Record<
    string,
    T
  >;
