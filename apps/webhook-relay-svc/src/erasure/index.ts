export { createErasureWorker } from './worker';
export { addErasure } from './erasures.sql';
