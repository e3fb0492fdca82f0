import { german } from './texts-de';

/** The texts of the page itself; those of the questions are in the form, those of their rules in SurveyJS. */
const english = {
  notFound: 'There is no such form.',
  notFoundMore: 'Check the address, or ask the person who gave it to you.',
  disabled: 'This form does not accept answers at the moment.',
  notOpen: 'This form is not open yet. It opens on {time}.',
  closed: 'This form is closed. It was open until {time}.',
  full: 'This form has received all the answers that it accepts.',
  done: 'You have already answered this form. Thank you.',
  signIn: 'This form is for people who have signed in.',
  forbidden: 'Your account may not answer this form.',
  signedOut: 'You were signed out. Your answers are kept and sent after the next sign-in.',
  signedInAs: 'Signed in as {name}.',
  signOut: 'Sign out',
  enter: 'Sign in',
  enterAt: 'Sign in with {name}',
  email: 'E-mail address',
  password: 'Password',
  tenant: 'Organization',
  code: 'Code of the second factor',
  notEntered: 'The sign-in failed. Check what you entered.',
  notNow: 'The sign-in does not work at the moment. Please try again in a few minutes.',
  unavailable: 'The form cannot be shown at the moment. Please try again in a few minutes.',
  tooMany: 'Too many pages were opened from your network. Please try again in a minute.',
  challenge:
    'This form asks for a check that this page cannot make. Ask the person who gave you the address for another way to answer.',
  linkRevoked: 'This link was withdrawn. Ask the person who gave it to you for another one.',
  linkExpired: 'This link has expired. Ask the person who gave it to you for another one.',
  linkEnded: 'The answers of this link were deleted.',
  linkDone: 'The answers of this link are complete. Thank you.',
  linkUnknown: 'There is no such link. Check the address, or ask the person who gave it to you.',
  loading: 'The form is being loaded.',
  offline: 'There is no connection. Your answers are kept in this browser and sent when it is back.',
  sending: 'Your answers are being sent.',
  refused: 'Your answers were not accepted.',
  back: 'Back to the form',
  reload: 'The form could not be loaded. Reload the page to try again.',
  script: 'This form needs JavaScript.',
};

export type TextName = keyof typeof english;
export type Texts = Readonly<Record<TextName, string>>;

/** The languages that the page itself has. */
export const ownLanguages = ['en', 'de'];

export const textsIn = (language: string): Texts => (/^de(-|$)/i.test(language) ? german : english);
