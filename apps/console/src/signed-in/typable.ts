/**
 * A name as one can type it: characters that are invisible or change the direction are left out, and white
 * space is one space.
 */
export const typable = (name: string): string =>
  name.normalize('NFC').replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();

/** The text that is typed to confirm something: the name, or the id if nothing of the name can be typed. */
export const confirmationOf = (name: string, id: string): string => typable(name) || id;
