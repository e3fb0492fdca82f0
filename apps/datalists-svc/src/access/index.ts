export { countFormsUsing } from './access.sql';
export { accessRoutes } from './access.routes';
export { createFormAuthorization, type OpenList } from './authorize';
export { formEventHandler } from './on-form-event';
