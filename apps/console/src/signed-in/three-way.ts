/** A member of a draft that is kept or taken as a whole when two changes meet. */
export interface Member<Draft> {
  name: string;
  /** Returns its value for a person, and for the comparison. */
  text(draft: Draft): string;
  /** A draft with this member of another one. */
  take(into: Draft, from: Draft): Draft;
}

/** The state that both changes began with, and what each made of it. */
export interface ThreeWay<Draft> {
  base: Draft;
  mine: Draft;
  theirs: Draft;
}

export type Side = 'mine' | 'theirs';

/** The members that differ between the two changes. */
export const differing = <Draft>(
  members: readonly Member<Draft>[],
  { mine, theirs }: ThreeWay<Draft>,
): Member<Draft>[] => members.filter(({ text }) => text(mine) !== text(theirs));

/** The side whose value is kept without a choice: that of the only one who changed it; null if both did. */
export function sideOf<Draft>({ text }: Member<Draft>, { base, mine, theirs }: ThreeWay<Draft>): Side | null {
  if (text(mine) === text(base)) return 'theirs';
  return text(theirs) === text(base) ? 'mine' : null;
}

/**
 * The draft that a person chose.
 *
 * @param sides whose value is kept, by the name of the member
 */
export const merged = <Draft>(
  members: readonly Member<Draft>[],
  three: ThreeWay<Draft>,
  sides: Readonly<Record<string, Side>>,
): Draft =>
  differing(members, three)
    .filter((member) => (sides[member.name] ?? sideOf(member, three)) === 'theirs')
    .reduce((draft, member) => member.take(draft, three.theirs), three.mine);
