export { changeUser } from './change-user';
export { oneUser } from './user-answers';
export { assertNotGuessable, isCommonPassword } from './password-rules';
export { hashPassword, isOutdated, passwordMatches, unusablePassword } from './passwords';
export { newPasswordSchema, newUserSchema, ownChangeMembers, rolesSchema, type UserChange } from './user';
export { userRoutes } from './users.routes';
export {
  allowEnrolment,
  credentialsByEmail,
  credentialsById,
  insertUser,
  noteLink,
  noteSignIn,
  replaceHash,
  replacePassword,
  selectUser,
  type Delivery,
  type UserCredentials,
} from './users.sql';
