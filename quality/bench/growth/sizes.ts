/** How many rows the generator makes of each table. */
export interface Sizes {
  submissions: number;
  submitters: number;
  forms: number;
  deliveries: number;
  actions: number;
  jobs: number;
  users: number;
  items: number;
}

/** A tenant with so many submissions. The other tables grow with it up to what a tenant has of them. */
export const sizesOf = (submissions: number): Sizes => ({
  submissions,
  submitters: Math.max(1_000, Math.floor(submissions / 10)),
  forms: Math.max(100, Math.min(10_000, Math.floor(submissions / 1_000))),
  deliveries: Math.min(submissions, 1_000_000),
  actions: Math.min(submissions, 1_000_000),
  jobs: Math.max(1_000, Math.min(20_000, Math.floor(submissions / 100))),
  users: 1_000,
  items: Math.min(submissions, 1_000_000),
});

/** The sizes of a run: 10,000, a million and ten million, up to `largest`, which is one itself. */
export const sizesUpTo = (largest: number): number[] => [
  ...[10_000, 1_000_000, 10_000_000].filter((size) => size < largest),
  largest,
];
