import { ForeignText } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import type { ReactNode } from 'react';
import { Moment } from './moment';

type Text = string | null | undefined;
type Looks<Row> = Omit<GridColumn<Row>, 'key' | 'title' | 'cell'>;

/** A column of a grid or a table. */
export const column = <Row,>(
  key: string,
  title: string,
  cell: (row: Row) => ReactNode,
  looks?: Looks<Row>,
): GridColumn<Row> => ({ key, title, cell, ...looks });

/** A column of numbers. */
export const numberColumn: typeof column = (key, title, cell, looks) =>
  column(key, title, cell, { isNumber: true, ...looks });

/** Makes columns whose cells, and their texts for the clipboard, come from one value. */
const kindOf =
  (cellOf: (value: string) => ReactNode, looks: Looks<unknown> = {}) =>
  <Row,>(key: string, title: string, valueOf: (row: Row) => Text, own?: Looks<Row>): GridColumn<Row> => ({
    key,
    title,
    ...looks,
    cell: (row) => cellOf(valueOf(row) ?? ''),
    text: (row) => valueOf(row) ?? '',
    ...own,
  });

/** A column of texts that people or other systems wrote. */
export const foreignColumn = kindOf((text) => (text === '' ? '–' : <ForeignText isCut>{text}</ForeignText>));

/** A column of times. */
export const timeColumn = kindOf((at) => <Moment at={at === '' ? null : at} />, { width: 165 });

/** A column of ids, hidden until a user shows it. */
export const idColumn = kindOf((id) => <code>{id}</code>, { width: 180, isHidden: true });
