export { alertRoutes } from './alerts.routes';
export { createMailCount } from './send-mails';
export { createAlertWorker } from './worker';
