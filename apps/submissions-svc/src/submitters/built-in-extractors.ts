import { ownProvider } from '@canvass/auth';
import type { Principal, SubmitterExtractor, SubmitterSettings } from '@canvass/extensions';
import { isId, textOf } from './profile';

/** Used if none of the configured claims exists. */
const usualDisplayClaims = ['preferred_username', 'name', 'email'];

/** Ignores empty arrays and objects. */
const isEmpty = (claim: unknown): boolean =>
  typeof claim === 'object' && claim !== null && Object.keys(claim).length === 0;

/** The first claim that is neither blank nor empty, else the subject. */
function displayIdOf({ claims, subject }: Principal, configured: readonly string[]): string {
  for (const name of [...configured, ...usualDisplayClaims]) {
    const text = Object.hasOwn(claims, name) && !isEmpty(claims[name]) ? textOf(claims[name]) : undefined;
    if (text !== undefined) return text;
  }
  return subject;
}

/** The extractors of every installation: Service JWT, external identity provider, anonymous. */
export function builtInExtractors({ DisplayIdClaimTypes }: SubmitterSettings): SubmitterExtractor[] {
  return [
    {
      priority: 100,
      // A service account is a machine. It may create submissions on behalf of respondents, but is not a
      // respondent.
      canExtract: ({ provider, kind }) => provider === ownProvider && kind === 'user',
      extract: (principal) => ({
        authProvider: ownProvider,
        externalSubjectId: principal.subject,
        appUserId: isId(principal.subject) ? principal.subject : null,
        displayId: displayIdOf(principal, DisplayIdClaimTypes),
        profile: principal.claims,
      }),
    },
    {
      priority: 150,
      canExtract: ({ kind }) => kind === 'external',
      extract: (principal) => ({
        authProvider: principal.provider,
        externalSubjectId: principal.subject,
        appUserId: null,
        displayId: displayIdOf(principal, DisplayIdClaimTypes),
        profile: principal.claims,
      }),
    },
    { priority: 300, canExtract: () => true, extract: () => null },
  ];
}
