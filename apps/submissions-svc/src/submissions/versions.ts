/** Number of former versions of the answers that a submission keeps. */
export const mostVersions = 50;

/** Maximum size of these versions in bytes. The newest is always kept. */
export const mostVersionBytes = 64 * 1024 * 1024;
