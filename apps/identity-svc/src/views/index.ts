export { newViewSchema } from './view';
export { viewRoutes } from './views.routes';
export { preferredLanguage } from './preferences';
export { deleteOwned } from './views.sql';
export { erasedTextRoutes } from './erased-texts.routes';
