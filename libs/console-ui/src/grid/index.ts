export { placed, type GridColumn, type GridLayout } from './columns';
export { Grid } from './grid';
export { ListBar, type ListBarProps } from './list-bar';
export { nothingSelected, type Selection } from './selection';
export type { Beside, GridProps, GridRows, GridSort, GridTexts } from './types';
