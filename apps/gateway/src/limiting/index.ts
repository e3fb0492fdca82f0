export { createAccountOf } from './accounts';
export { createLimits, type Limits } from './limits';
export { observeLimits } from './observe-limits';
export { createRedisClient } from './redis-client';
