export { createClaims, type Claimed, type Claims } from './claim';
export { freeSlots, makeDue, sendColumns, sendJoins, type SendRow } from './claim.sql';
export { createDeliverer, type Deliverer } from './deliverer';
export { createDeliveryMetrics } from './delivery-metrics';
export { handleJob, publishJobs } from './jobs';
export { createRecorder } from './record';
export { createHealthNotes } from './note-health';
export { createSender, type Sender } from './sender';
export { createSweeper, type Sweeper } from './sweeper';
