export { createAccountOf } from './accounts';
export { createLimits, type Limits, type Verdict } from './limits';
export { observeLimits } from './observe-limits';
export { createRedisClient } from './redis-client';
