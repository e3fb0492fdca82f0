import './tokens.css';

export { AreaField, Button, buttonClass, Field, primaryClass, SelectField } from './controls';
export { FieldErrors, type ErrorsByField } from './field-errors';
export { ForeignText } from './foreign-text';
export { menuClass, popoverClass } from './menu';
export { Panel, Table, type Column } from './panel';
export { Spark } from './spark';
export { TimePlot, TimePlotSkeleton, type PlotSeries, type PlotTexts, type TimePlotProps } from './time-plot';
export { Badge, Mark, Notice, Reference, Skeleton, State, type Tone } from './states';
