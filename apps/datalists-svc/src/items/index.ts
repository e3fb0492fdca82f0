export { createCleaner, type Cleaner } from './cleaner';
export { createCollations } from './collation';
export { discardItems, removeDiscardedBatch } from './discard';
export { currentItems } from './find-items';
export { fold } from './fold';
export { allocateVersion, readItems, type ItemsVersion } from './items.sql';
export { itemsRoutes } from './items.routes';
export { writeItems } from './write-items.sql';
