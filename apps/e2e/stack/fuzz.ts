export { fuzz } from '../../../tools/prove/fuzz';
