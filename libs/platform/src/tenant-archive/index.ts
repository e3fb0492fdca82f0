export { archiveOperations } from './operations';
export { rulesOf, type ArchivedTable } from './tables';
