export { failedSince, startRecovery } from './recover';
export { recoveryRoutes } from './recoveries.routes';
export { recoveryKind } from './recovery-request';
export { recoveryStep } from './recovery-step';
