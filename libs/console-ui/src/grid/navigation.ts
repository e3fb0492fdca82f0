/** A cell by its position; row `-1` is the row of the column titles. */
export interface Cell {
  row: number;
  column: number;
}

export interface Size {
  rows: number;
  columns: number;
  /** Rows that PageUp and PageDown skip. */
  page: number;
}

export interface Key {
  key: string;
  isCtrl: boolean;
}

/** The cell to which a key leads, or null if the key does not move. */
export function cellAfter({ row, column }: Cell, { key, isCtrl }: Key, size: Size): Cell | null {
  const target = (): Cell | null => {
    switch (key) {
      case 'ArrowDown':
        return { row: row + 1, column };
      case 'ArrowUp':
        return { row: row - 1, column };
      case 'ArrowLeft':
      case 'ArrowRight':
        return isCtrl ? null : { row, column: column + (key === 'ArrowRight' ? 1 : -1) };
      case 'PageDown':
        return { row: row + size.page, column };
      case 'PageUp':
        return { row: Math.max(Math.min(row, 0), row - size.page), column };
      case 'Home':
        return { row: isCtrl ? 0 : row, column: 0 };
      case 'End':
        return { row: isCtrl ? size.rows - 1 : row, column: size.columns - 1 };
      default:
        return null;
    }
  };
  const cell = target();
  return (
    cell && {
      row: Math.max(-1, Math.min(size.rows - 1, cell.row)),
      column: Math.max(0, Math.min(size.columns - 1, cell.column)),
    }
  );
}
