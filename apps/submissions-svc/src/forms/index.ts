export { challengeRoutes } from './form-challenges.routes';
export { formRoutes } from './forms.routes';
export { readRuntimeForm } from './runtime-form';
