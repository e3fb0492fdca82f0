import './tokens.css';
import './elements.css';

export {
  AreaField,
  boxClass,
  Button,
  buttonClass,
  Field,
  primaryClass,
  SearchInput,
  SelectField,
} from './controls';
export { FieldErrors, type ErrorsByField } from './field-errors';
export { ForeignText } from './foreign-text';
export { Icon, type IconName } from './icon';
export { menuClass, popoverClass } from './menu';
export { Panel, Table, type Column } from './panel';
export type { PlotSeries } from './plot-scale';
export { Spark, TimePlot, type PlotTexts } from './time-plot';
export { Badge, Mark, Notice, Reference, Skeleton, State, type Tone } from './states';
export { toast, Toasts } from './toast';
