export type { components, operations, paths, webhooks } from '../dist/api.mjs';
export { createCanvass, type Canvass, type CanvassOptions } from './canvass';
export { CanvassError, dataOf, type ProblemBody } from './data-of';
export { itemsOf, type KeyPage } from './items-of';
export { type RetryOptions } from './retry';
export { serviceAccount, type ServiceAccount } from './service-account';
export { type TokenSource } from './token-source';
export {
  verifyWebhook,
  WebhookVerificationError,
  type ReceivedWebhook,
  type WebhookMessage,
} from './verify-webhook';
