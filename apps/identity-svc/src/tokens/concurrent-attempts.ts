/** Concurrent attempts with the same key in this process. */
interface Group {
  members: number;
  /** Each settles when its attempt has ended, in success or failure. */
  readonly attempts: Set<Promise<void>>;
  /** Number of successful attempts. */
  right: number;
}

/** Contains running attempts only. */
const groups = new Map<string, Group>();

/**
 * Makes an attempt. It repeats a failed attempt while concurrent attempts of the same `key` succeed. Returns
 * the last outcome, or throws the error of `attempt`.
 */
export async function besideOthers<Outcome>(
  key: string,
  attempt: () => Promise<Outcome>,
  isRight: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  const group = groups.get(key) ?? { members: 0, attempts: new Set(), right: 0 };
  groups.set(key, group);
  group.members += 1;
  try {
    for (;;) {
      const rightBefore = group.right;
      const made = attempt();
      const over: Promise<void> = made
        .then(
          (outcome) => void (group.right += isRight(outcome) ? 1 : 0),
          () => undefined,
        )
        .finally(() => group.attempts.delete(over));
      group.attempts.add(over);
      const outcome = await made;
      if (isRight(outcome)) return outcome;
      await Promise.all(group.attempts);
      if (group.right === rightBefore) return outcome;
    }
  } finally {
    group.members -= 1;
    if (group.members === 0) groups.delete(key);
  }
}
