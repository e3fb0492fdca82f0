export { operate } from './operate';
