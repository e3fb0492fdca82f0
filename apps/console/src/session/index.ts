export { SignInForm } from './sign-in-form';
export { SignInPage } from './sign-in-page';
export { session, useSessionState } from './use-session';
