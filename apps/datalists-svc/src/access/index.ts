export { countFormsUsing } from './access.sql';
export { accessRoutes } from './access.routes';
export { createFormAuthorization } from './authorize';
export { formEventHandler } from './on-form-event';
