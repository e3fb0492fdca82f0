export { invitationKind, invitationRoutes } from './invitations.routes';
export { invitationStep } from './invitation-step';
