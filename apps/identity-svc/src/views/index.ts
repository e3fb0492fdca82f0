export { newViewSchema } from './view';
export { viewRoutes } from './views.routes';
export { deleteOwned } from './views.sql';
export { erasedTextRoutes } from './erased-texts.routes';
