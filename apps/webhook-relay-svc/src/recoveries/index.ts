export { recover } from './recover';
export { recoveryRoutes } from './recoveries.routes';
export { createRecoveryWorker } from './worker';
