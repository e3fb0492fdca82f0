/** One thing that was to be shown, and what was found. */
export interface Claim {
  what: string;
  found: string;
  wanted: string;
  holds: boolean;
}

/** Runs a proof as a program: prints each claim, ends with 1 when one does not hold. */
export function prove(proof: () => Promise<Claim[]>): void {
  proof().then(
    (claims) => {
      for (const { what, found, wanted, holds } of claims)
        process.stdout.write(`  ${holds ? 'ok    ' : 'MISSED'}  ${what}: ${found} (wanted ${wanted})\n`);
      process.exit(claims.every(({ holds }) => holds) ? 0 : 1);
    },
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}
