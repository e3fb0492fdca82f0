export { edgeHandlers } from './edge.routes';
