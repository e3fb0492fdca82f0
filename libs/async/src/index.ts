export { every, type EveryOptions, type Loop } from './every';
export { retry, type RetryOptions } from './retry';
export { createTurns, type Turns } from './turns';
export { createWakeableSleep, type WakeableSleep } from './wakeable-sleep';
export { TimeoutError, withTimeout } from './with-timeout';
