/** Attempts at one thing that this process makes at the same time. */
interface Group {
  members: number;
  /** Settle when an attempt is over, well or badly. */
  readonly attempts: Set<Promise<void>>;
  /** How many attempts were right. */
  right: number;
}

/** Only of what is under way. */
const groups = new Map<string, Group>();

/**
 * Makes an attempt, and another one as long as it is not right and an attempt of the same `key` was, that was under way
 * together with it. Answers the last outcome, or throws what `attempt` throws.
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
