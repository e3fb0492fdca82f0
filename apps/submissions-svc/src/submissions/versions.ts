/** How many former versions of its answers a submission keeps. */
export const mostVersions = 50;
