export { trialRoutes } from './trial.routes';
