/** How many former versions of its answers a submission keeps. */
export const mostVersions = 50;

/** And how many bytes these versions may have together; the newest is kept whatever it has. */
export const mostVersionBytes = 64 * 1024 * 1024;
