export { keyRoutes } from './keys.routes';
