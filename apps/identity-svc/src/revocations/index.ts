export { onlyCurrentTokens } from './current-tokens';
export { revocationRoutes } from './revocations.routes';
export {
  deleteExpiredRevocations,
  revokeAll,
  revokeOtherKeys,
  revokeServiceTokens,
  revokeUserTokens,
} from './revocations.sql';
