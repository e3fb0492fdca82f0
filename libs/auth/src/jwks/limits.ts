/** A document of a provider (key set, discovery) may be this large, … */
export const maxDocumentBytes = 512 * 1024;

/** … and must be here within this time. */
export const requestTimeoutMs = 5_000;

/** Age at which a key set is fetched again in the background, while the keys at hand go on being used. */
export const refreshAfterMs = 10 * 60_000;

/**
 * After an unknown key id led to a fetch, further unknown ones lead to none for this long: whoever sends random key ids
 * cannot make the services hammer the provider.
 */
export const unknownKeyCoolDownMs = 10_000;

/** After a failed fetch the next is tried no sooner than this, doubling to the greatest wait. */
export const failureCoolDownMs = 1_000;
export const maxFailureCoolDownMs = 30_000;
