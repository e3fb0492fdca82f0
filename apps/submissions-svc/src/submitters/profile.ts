import { ownProvider } from '@canvass/auth';
import { isBlank } from '@canvass/service-kit';
import type { ExtractedSubmitter, ResolvedSubmitter } from './extractor';

/** Maximum length of a stored display id, in UTF-16 units. */
export const maxDisplayIdLength = 320;
export const maxProviderLength = 64;
export const maxSubjectLength = 255;

/** Postgres cannot store U+0000, and UTF-8 has no lone surrogates. */
const unstorable = /[\0\p{Surrogate}]/gu;

/**
 * Text of a claim or profile value, or undefined if blank. A value that is not a string becomes its JSON
 * text.
 */
export function textOf(value: unknown): string | undefined {
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  const clean = text.replace(unstorable, '\uFFFD').trim();
  return isBlank(clean) ? undefined : clean;
}

/** The configured fields of a profile, by exact name; own members only, without blank values. */
function filterProfile(
  profile: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const field of allowed) {
    const text = Object.hasOwn(profile, field) ? textOf(profile[field]) : undefined;
    if (text !== undefined) kept[field] = text;
  }
  return kept;
}

/**
 * Makes any resolution fit for storage. A subject or provider that cannot be stored unchanged would merge two
 * respondents, so it is an error. A display id is shortened; a blank one is replaced by the subject.
 */
export function persistable(
  extracted: ExtractedSubmitter,
  profileFields: readonly string[],
): ResolvedSubmitter {
  const { authProvider, externalSubjectId, appUserId } = normalised(extracted);
  requireStorable('authProvider', authProvider, maxProviderLength);
  requireStorable('externalSubjectId', externalSubjectId, maxSubjectLength);
  if (appUserId !== null && !isId(appUserId)) throw new Error('A submitter has an invalid appUserId.');
  return {
    authProvider,
    externalSubjectId,
    appUserId,
    displayId: shortened(textOf(extracted.displayId) ?? externalSubjectId, maxDisplayIdLength),
    profile: filterProfile(extracted.profile ?? {}, profileFields),
  };
}

/**
 * The identity of a submitter: provider and subject. For the own provider the subject is the id of the user,
 * so that every way to name a user gives the same submitter. For any other provider `appUserId` is only
 * stored.
 */
function normalised({ authProvider, externalSubjectId, appUserId = null }: ExtractedSubmitter) {
  if (authProvider !== ownProvider || !namesOwnUser({ externalSubjectId, appUserId }))
    return { authProvider, externalSubjectId, appUserId };
  const userId = appUserId ?? externalSubjectId;
  return { authProvider, externalSubjectId: userId, appUserId: userId };
}

/** Returns whether a submitter of the own provider names its user, by `appUserId` or by its subject. */
export const namesOwnUser = (named: { externalSubjectId: string; appUserId?: string | null }): boolean =>
  isId(named.appUserId ?? named.externalSubjectId);

/** A positive 64-bit integer as a decimal string. */
export const isId = (text: string): boolean =>
  /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;

function requireStorable(name: string, value: string, maxLength: number): void {
  const bad = isBlank(value) || value.length > maxLength || value.search(unstorable) >= 0;
  if (bad)
    throw new Error(`A submitter has an ${name} that is blank, longer than ${maxLength} or not storable.`);
}

/** Truncates without splitting a character. */
function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/\p{Surrogate}$/u, '');
}
