export { CardPage } from './card-page';
export { handToForm } from './departure';
export { ProviderButtons } from './provider-buttons';
export { SignInForm } from './sign-in-form';
export { SignInPage } from './sign-in-page';
export { session, useSessionState } from './use-session';
