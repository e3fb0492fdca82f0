export { assertNotGuessable, isCommonPassword } from './password-rules';
export { hashPassword, isOutdated, passwordMatches, unusablePassword } from './passwords';
export { newPasswordSchema, rolesSchema } from './user';
export { userRoutes } from './users.routes';
export {
  credentialsByEmail,
  credentialsById,
  insertUser,
  noteSignIn,
  replaceHash,
  replacePassword,
  selectUser,
  type UserCredentials,
} from './users.sql';
