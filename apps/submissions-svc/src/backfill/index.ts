export { backfillCommand } from './command';
