import { ownProvider, type Principal } from '@canvass/auth';
import { validationProblem } from '@canvass/errors';
import { builtInExtractors } from './built-in-extractors';
import type {
  ResolvedSubmitter,
  SubmitterExtractor,
  SubmitterResolver,
  SubmitterSettings,
} from './extractor';
import { namesOwnUser, persistable } from './profile';
import type { SubmitterConfig } from './submitter-settings';

/**
 * The default resolver: the first extractor in ascending priority that can extract. Custom ones win a tie.
 */
export function createExtractorResolver(
  settings: SubmitterSettings,
  custom: readonly SubmitterExtractor[],
): SubmitterResolver {
  const extractors = [...custom, ...builtInExtractors(settings)].sort((a, b) => a.priority - b.priority);
  return {
    async resolve(principal) {
      const extractor = extractors.find((candidate) => candidate.canExtract(principal));
      return (await extractor?.extract(principal)) ?? null;
    },
  };
}

/** Respondents of callers and of requests on behalf, ready to be stored. */
export interface Submitters {
  /** The respondent of a verified caller; null for an anonymous one, of whom nothing is stored. */
  ofCaller(principal: Principal | null): Promise<ResolvedSubmitter | null>;
  /**
   * The respondent that a trusted integration names.
   *
   * @throws {Problem} `validation_failed` for a provider that integrations may not name, and for a respondent
   * of the own provider that is not a user
   */
  ofPayload(payload: OnBehalfSubmitter): ResolvedSubmitter;
  /** Names of the fields of a profile that are not stored, as `ProfileSnapshotFields` does not list them. */
  ignoredFields(profile: OnBehalfSubmitter['profile']): string[];
}

/** `submitter` of the on-behalf endpoint. */
export interface OnBehalfSubmitter {
  externalSubjectId: string;
  displayId: string;
  authProvider?: string | null;
  appUserId?: string | null;
  profile?: Record<string, unknown> | null;
}

/** `AuthProvider` of a request that names none. */
export const integrationProvider = 'Integration';

/** Names that people take for the same are the same: another spelling must not pass for a provider. */
const folded = (provider: string): string => provider.normalize('NFKC').toLowerCase();

export function createSubmitters(
  settings: Pick<SubmitterConfig, 'ProfileSnapshotFields' | 'IntegrationsMayName'>,
  resolver: SubmitterResolver,
  /** Names of the configured identity providers. */
  providers: readonly string[],
): Submitters {
  const fields = settings.ProfileSnapshotFields;
  const authenticating = new Set([ownProvider, ...providers].map(folded));
  return {
    async ofCaller(principal) {
      const extracted = principal && (await resolver.resolve(principal));
      return extracted && persistable(extracted, fields);
    },
    ofPayload({ externalSubjectId, displayId, authProvider, appUserId, profile }) {
      const named = {
        authProvider: authProvider ?? integrationProvider,
        externalSubjectId,
        displayId,
        appUserId: appUserId ?? null,
        profile: profile ?? {},
      };
      const isAuthenticating = authenticating.has(folded(named.authProvider));
      if (isAuthenticating && !settings.IntegrationsMayName.includes(named.authProvider)) {
        throw validationProblem({
          'submitter.authProvider': [
            `must not be "${named.authProvider}": those respondents sign in (Service:Submitter:IntegrationsMayName)`,
          ],
        });
      }
      if (named.authProvider === ownProvider && !namesOwnUser(named)) {
        throw validationProblem({
          'submitter.externalSubjectId': [`must be the id of a user when authProvider is "${ownProvider}"`],
        });
      }
      const submitter = persistable(named, fields);
      // What the provider says of a person stands; an integration must not change it.
      return isAuthenticating ? { ...submitter, refreshes: false } : submitter;
    },
    ignoredFields: (profile) => Object.keys(profile ?? {}).filter((name) => !fields.includes(name)),
  };
}
