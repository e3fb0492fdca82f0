export { createAccountOf } from './accounts';
export { createLedger, noLedger } from './ledger';
export { createLimits, type Limits, type Verdict } from './limits';
export { observeLimits } from './observe-limits';
