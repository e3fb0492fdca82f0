/** The replaced module, as far as the bug is concerned. */
interface Lanes {
  claimRows(
    client: unknown,
    lane: number,
    limit: number,
    held: string[],
    from: unknown,
  ): Promise<{ id: string }[]>;
}

/** SEEDED BUG: goes on behind the highest id it has seen, so that what commits late with a lower one is never read. */
export function seed(original: Lanes): Lanes {
  const cursors = new Map<number, bigint>();
  return {
    async claimRows(client, lane, limit, held, from) {
      const rows = await original.claimRows(client, lane, limit, held, from);
      const cursor = cursors.get(lane) ?? 0n;
      const behind = rows.filter(({ id }) => BigInt(id) > cursor);
      const last = behind.at(-1);
      if (last) cursors.set(lane, BigInt(last.id));
      return behind;
    },
  };
}
