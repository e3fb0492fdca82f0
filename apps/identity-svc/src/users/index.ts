export { hashPassword, isOutdated, passwordMatches } from './passwords';
export { rolesSchema } from './user';
export { userRoutes } from './users.routes';
export {
  credentialsByEmail,
  credentialsById,
  insertUser,
  replaceHash,
  type UserCredentials,
} from './users.sql';
