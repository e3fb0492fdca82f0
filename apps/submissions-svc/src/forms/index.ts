export { formRoutes } from './forms.routes';
export { readRuntimeForm } from './runtime-form';
