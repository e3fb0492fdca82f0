/** Milliseconds by the system's monotonic clock, which all processes of a machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
