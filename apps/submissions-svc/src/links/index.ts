export {
  createLink,
  defaultExpiry,
  endedLink,
  openLink,
  pageOfLinks,
  revokeLink,
  type LinkBody,
  type NewLinkView,
} from './links';
export { isLinkToken, linkHeader, linkOf } from './link-token';
export {
  expirySchema,
  linkBody,
  newLink,
  newLinkExample,
  newLinkSchema,
  noteSchema,
  pageOfLinksAnswer,
} from './link-answers';
export { linkRights, type LinkRight } from './links.sql';
