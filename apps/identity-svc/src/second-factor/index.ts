export {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  selectSecondFactor,
} from './second-factor.sql';
export { randomBase32, stepOfCode, totpAddress } from './totp';
export { newRecoveryCodes, recoveryHash, sealedFor, sealedSecrets, useCode } from './verify-code';
