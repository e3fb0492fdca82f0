export { invitationMinutes, makeLink } from './make-link';
export { passwordLinkRoutes } from './password-links.routes';
