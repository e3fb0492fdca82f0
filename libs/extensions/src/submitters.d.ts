/** A caller whose token was verified. */
export interface Principal {
  /** `Service` for the own provider, else the configured `Name` of an external one. */
  readonly provider: string;
  /** Own user, own service account, or an identity of an external provider. */
  readonly kind: 'user' | 'service' | 'external';
  /** `sub`: the user's or service account's id, or the external subject. */
  readonly subject: string;
  /** Decimal string; every caller has a tenant. */
  readonly tenantId: string;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
  /** All claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A respondent as an extractor or a resolver returns it, before filtering and storing. */
export interface ExtractedSubmitter {
  /**
   * Kind of provider: `Service`, the `Name` of an external one, `Integration`, or a custom text of 1 to 64
   * characters.
   */
  authProvider: string;
  /** Stable subject within the provider, 1 to 255 characters. */
  externalSubjectId: string;
  /** Shown to people and cut after 320 characters. If it is blank, the subject is used. */
  displayId: string;
  /** Decimal string: the id of the own user, if the respondent is one. */
  appUserId?: string | null;
  /**
   * Known facts about the respondent. Only the fields of `Service:Submitter:ProfileSnapshotFields` are
   * stored.
   */
  profile?: Record<string, unknown> | null;
}

/**
 * Derives the submitter from a caller. The first extractor in ascending priority whose `canExtract` returns
 * true decides. With equal priority the order of the configuration counts, and configured extractors precede
 * built-in ones.
 *
 * A module exports it as `extractor`, and `Service:Submitter:Extractors` names the module. Built in:
 * service-owned users at 100, identities of external providers at 150, anonymous at 300.
 */
export interface SubmitterExtractor {
  /** Integer. Lower runs first; below 100 runs before all built-in extractors. */
  priority: number;
  /** Must be synchronous: a promise is an error. */
  canExtract(principal: Principal): boolean;
  /**
   * Null keeps the caller anonymous. A throw, an invalid value, or no result within
   * `Service:Submitter:ExtractorTimeoutMs` fails the request with 503 `submitter_resolution_failed`.
   */
  extract(principal: Principal): ExtractedSubmitter | null | Promise<ExtractedSubmitter | null>;
}

/**
 * Derives the submitter of every caller and replaces all built-in extractors. The service still handles
 * tenant, id, snapshot and single-submission gate. It checks and filters the result like that of an
 * extractor.
 */
export interface SubmitterResolver {
  /** Null for an anonymous respondent, of whom nothing is stored. The timeout of extractors applies. */
  resolve(principal: Principal): ExtractedSubmitter | null | Promise<ExtractedSubmitter | null>;
}

/** `Service:Submitter` of the configuration. */
export interface SubmitterSettings {
  /** The first of these claims that is not blank is the display id. */
  DisplayIdClaimTypes: string[];
  /** The only claims and profile fields that are copied; exact, case-sensitive names. */
  ProfileSnapshotFields: string[];
  /** Modules that export `extractor`. */
  Extractors: string[];
  /** Module that exports `createResolver`. */
  Resolver?: string;
  /** Time limit in milliseconds of a custom extractor or resolver per caller. */
  ExtractorTimeoutMs: number;
}

/**
 * Creates the resolver at start. A module exports it as `createResolver`, and `Service:Submitter:Resolver`
 * names the module. `extractors` are those of `Service:Submitter:Extractors`, in the configured order.
 */
export type CreateResolver = (
  settings: SubmitterSettings,
  extractors: readonly SubmitterExtractor[],
) => SubmitterResolver | Promise<SubmitterResolver>;
