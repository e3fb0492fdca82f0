import './tokens.css';

export { Button, buttonClass, Field } from './controls';
export { ForeignText } from './foreign-text';
export { Panel, Table, type Column } from './panel';
export { Badge, Mark, Notice, Reference, Skeleton, State, type Tone } from './states';
