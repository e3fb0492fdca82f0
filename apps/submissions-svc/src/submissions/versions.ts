/** Number of former versions of the answers that a submission keeps. */
export const maxVersions = 50;

/** Maximum size of these versions in bytes. The newest is always kept. */
export const maxVersionBytes = 64 * 1024 * 1024;
