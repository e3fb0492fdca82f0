export { createLink, openLink, pageOfLinks, revokeLink, type LinkBody, type NewLinkView } from './links';
export { isLinkToken } from './link-token';
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
