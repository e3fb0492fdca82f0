export { backfillCommand, type CommandSurroundings } from './command';
