export { invitationMinutes, makeLink } from './make-link';
export { linkMailSettingsSchema, type LinkMailSettings } from './mail-settings';
export { passwordLinkRoutes } from './password-links.routes';
