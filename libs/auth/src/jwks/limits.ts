/** Maximum size of a provider's document (key set, discovery). */
export const maxDocumentBytes = 512 * 1024;

/** Deadline for fetching such a document. */
export const requestTimeoutMs = 5_000;

/** Age at which a key set is fetched again in the background. The cached keys stay in use meanwhile. */
export const refreshAfterMs = 10 * 60_000;

/** Minimum time between fetches caused by unknown key ids. A token with another one waits for the next. */
export const unknownKeyCoolDownMs = 1_000;

/** First wait after a failed fetch. It doubles up to the maximum wait. */
export const failureCoolDownMs = 1_000;
export const maxFailureCoolDownMs = 30_000;
