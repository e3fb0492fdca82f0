export { every, type EveryOptions, type Loop } from './every';
export { retry, type RetryOptions } from './retry';
export { createWakeableSleep, type WakeableSleep } from './wakeable-sleep';
export { TimeoutError, withTimeout } from './with-timeout';
