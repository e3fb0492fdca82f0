import type { Principal } from '@canvass/auth';

/** A respondent as an extractor, or an integration's payload, tells it; not yet filtered, not yet stored. */
export interface ExtractedSubmitter {
  /** Kind of provider: `Service`, the `Name` of an external one, `Integration`, or a text of your own (at most 64 characters). */
  authProvider: string;
  /** Stable subject within the provider, at most 255 characters. */
  externalSubjectId: string;
  displayId: string;
  /** Decimal string: the service-owned user, where the respondent is one. */
  appUserId?: string | null;
  /** Whatever is known of the respondent; only the fields of `ProfileSnapshotFields` are kept. */
  profile?: Record<string, unknown>;
}

/**
 * Finds out who a validated caller is as a respondent. The first extractor, in ascending priority, whose
 * `canExtract` says yes decides.
 *
 * Write one of your own as a module that exports `extractor` and name the module in `Service:Submitter:Extractors`.
 * Built in: service-owned users at 100, identities of external providers at 150, anonymous at 300.
 */
export interface SubmitterExtractor {
  /** Lower runs first; below 100 runs before the built-in ones. */
  priority: number;
  canExtract(principal: Principal): boolean;
  /** Null: the caller stays anonymous. */
  extract(principal: Principal): ExtractedSubmitter | null | Promise<ExtractedSubmitter | null>;
}

/** A respondent ready to be stored: checked, and with the profile that the configuration lets through. */
export interface ResolvedSubmitter {
  authProvider: string;
  externalSubjectId: string;
  displayId: string;
  appUserId: string | null;
  profile: Record<string, string>;
}

/**
 * Who the respondent behind a caller is. Replace it with a module that exports `createResolver(settings, extractors)`,
 * named in `Service:Submitter:Resolver`. It only names the respondent: tenant, id, snapshot and gate are the
 * service's own work whatever a resolver answers, and its answer is checked and filtered like any other.
 */
export interface SubmitterResolver {
  /** Null for an anonymous respondent, of whom nothing is stored. */
  resolve(principal: Principal): Promise<ExtractedSubmitter | null>;
}

/** `Service:Submitter`. */
export interface SubmitterSettings {
  /** The first of these claims that is not blank is the display id. */
  DisplayIdClaimTypes: string[];
  /** The only claims and profile fields that are ever copied; exact, case-sensitive names. */
  ProfileSnapshotFields: string[];
  /** Modules that export `extractor`. */
  Extractors: string[];
  /** Module that exports `createResolver`. */
  Resolver?: string;
}

export type CreateResolver = (
  settings: SubmitterSettings,
  extractors: readonly SubmitterExtractor[],
) => SubmitterResolver | Promise<SubmitterResolver>;
