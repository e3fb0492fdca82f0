export { keyOperations } from './key-operations';
export { keyRoutes } from './keys.routes';
export { signingKeys } from './signing-keys';
