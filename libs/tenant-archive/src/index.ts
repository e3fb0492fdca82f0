export { archiveOperations } from './operations';
export type { ArchivedTable } from './tables';
