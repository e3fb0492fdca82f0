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

/** A respondent as an extractor or a resolver names it; not yet filtered, not yet stored. */
export interface ExtractedSubmitter {
  /** Kind of provider: `Service`, the `Name` of an external one, `Integration`, or a text of your own (1 to 64 characters). */
  authProvider: string;
  /** Stable subject within the provider, 1 to 255 characters. */
  externalSubjectId: string;
  /** What people see; cut after 320 characters. The subject stands in for a blank one. */
  displayId: string;
  /** Decimal string: the service-owned user, where the respondent is one. */
  appUserId?: string | null;
  /** Whatever is known of the respondent; only the fields of `Service:Submitter:ProfileSnapshotFields` are kept. */
  profile?: Record<string, unknown> | null;
}

/**
 * Finds out who a caller is as a respondent. The first extractor, in ascending priority, whose `canExtract` answers
 * true decides. Extractors of equal priority are asked in the order of the configuration, before a built-in one.
 *
 * A module exports it as `extractor` and is named in `Service:Submitter:Extractors`.
 * Built in: service-owned users at 100, identities of external providers at 150, anonymous at 300.
 */
export interface SubmitterExtractor {
  /** Integer; lower runs first, below 100 before all built-in ones. */
  priority: number;
  /** Must answer at once: a promise is a fault. */
  canExtract(principal: Principal): boolean;
  /**
   * Null: the caller stays anonymous. A throw, another value, or no answer within
   * `Service:Submitter:ExtractorTimeoutMs` fails the request with 503 `submitter_resolution_failed`.
   */
  extract(principal: Principal): ExtractedSubmitter | null | Promise<ExtractedSubmitter | null>;
}

/**
 * Names the respondent behind every caller, in the place of all built-in extractors. Tenant, id, snapshot and
 * single-submission gate stay the service's own work, and the answer is checked and filtered like that of an extractor.
 */
export interface SubmitterResolver {
  /** Null for an anonymous respondent, of whom nothing is stored. The time limit of an extractor applies. */
  resolve(principal: Principal): ExtractedSubmitter | null | Promise<ExtractedSubmitter | null>;
}

/** `Service:Submitter` of the configuration. */
export interface SubmitterSettings {
  /** The first of these claims that is not blank is the display id. */
  DisplayIdClaimTypes: string[];
  /** The only claims and profile fields that are ever copied; exact, case-sensitive names. */
  ProfileSnapshotFields: string[];
  /** Modules that export `extractor`. */
  Extractors: string[];
  /** Module that exports `createResolver`. */
  Resolver?: string;
  /** Milliseconds that an extractor or a resolver of your own may take for one caller. */
  ExtractorTimeoutMs: number;
}

/**
 * Makes the resolver when the service starts. A module exports it as `createResolver` and is named in
 * `Service:Submitter:Resolver`. `extractors` are those of `Service:Submitter:Extractors`, in the configured order.
 */
export type CreateResolver = (
  settings: SubmitterSettings,
  extractors: readonly SubmitterExtractor[],
) => SubmitterResolver | Promise<SubmitterResolver>;
