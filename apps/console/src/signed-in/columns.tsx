import { ForeignText } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { Moment } from './moment';

type Text = string | null | undefined;
type Rest<Row> = Omit<GridColumn<Row>, 'key' | 'title' | 'cell' | 'text'>;

/** A column of texts that people or other systems wrote. */
export function foreignColumn<Row>(
  key: string,
  title: string,
  valueOf: (row: Row) => Text,
  rest?: Rest<Row>,
): GridColumn<Row> {
  const text = (row: Row) => valueOf(row) ?? '';
  const cell = (row: Row) => (text(row) === '' ? '–' : <ForeignText isCut>{text(row)}</ForeignText>);
  return { key, title, cell, text, ...rest };
}

/** A column of times. */
export function timeColumn<Row>(
  key: string,
  title: string,
  valueOf: (row: Row) => Text,
  rest?: Rest<Row>,
): GridColumn<Row> {
  const cell = (row: Row) => <Moment at={valueOf(row)} />;
  return { key, title, width: 200, cell, text: (row) => valueOf(row) ?? '', ...rest };
}

/** A column of ids, hidden until a user shows it. */
export function idColumn<Row>(
  key: string,
  title: string,
  valueOf: (row: Row) => Text,
  rest?: Rest<Row>,
): GridColumn<Row> {
  const text = (row: Row) => valueOf(row) ?? '';
  return { key, title, width: 180, isHidden: true, cell: (row) => <code>{text(row)}</code>, text, ...rest };
}
