export { placed, type GridColumn, type GridLayout } from './columns';
export { Grid } from './grid';
export { nothingSelected, type Selection } from './selection';
export type { Beside, GridRows, GridSort, GridTexts } from './types';
