import type { World } from './world';

/** One attempt to act as another person, or to see another person's data. */
interface Forgery {
  method?: string;
  /** The path, by default a `POST` to the submissions of a new public form. */
  path?: string;
  bearer?: string;
  headers?: readonly (readonly [string, string])[];
  body?: unknown;
  status: number;
  /** The caller with a submission on the new form then; `null`: an anonymous one. Absent: none was made. */
  becomes?: null | 'mallory' | 'a new respondent';
}

export type Table = [name: string, forge: (world: World, formId: string) => Forgery][];

export const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Outcomes that many tries have. */
export const anonymously = { status: 201, becomes: null } as const;
export const herself = { status: 201, becomes: 'mallory' } as const;
export const refused = { status: 401 } as const;
export const malformed = { status: 400 } as const;
