import { brokenRule, validationProblem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { selectTenantName } from './users.sql';

/** The data that others know of a user, beside the name of the tenant. */
interface OwnData {
  tenantId: string;
  email: string;
  name: string | null;
}

/** The file beside the bundle, or in the folder of the app when it runs from source. */
const file = ['assets', '../../assets']
  .map((folder) => path.join(__dirname, folder, 'common-passwords.txt'))
  .find(existsSync);

let common: ReadonlySet<string> | undefined;

function commonPasswords(): ReadonlySet<string> {
  if (file === undefined) throw new Error('common-passwords.txt is missing beside the program');
  common ??= new Set(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  );
  return common;
}

/** Compared without case and white space. */
const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '');

/**
 * Returns whether a password is one of the first that an attacker tries, or repeats up to four characters.
 */
export function isCommonPassword(password: string): boolean {
  const text = plain(password);
  return commonPasswords().has(text) || /^(.{0,4}?)\1*$/su.test(text);
}

/** Shorter words occur in many passwords by chance. */
const minWordLength = 4;
/** The characters that must remain of a password without the data of the user. */
const minRemaining = 6;

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u);

/** Returns whether a password consists of the texts or their words, and little else. */
function repeats(password: string, texts: readonly string[]): boolean {
  const words = [...texts, ...texts.flatMap(wordsOf)]
    .map(plain)
    .filter((word) => word.length >= minWordLength);
  const longestFirst = words.sort((a, b) => b.length - a.length);
  const text = plain(password);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest !== text && rest.length < minRemaining;
}

/**
 * Refuses a new password that can be guessed (NIST SP 800-63B, section 3.1.1.2).
 *
 * @param field of the request that has the password
 * @throws {Problem} `validation_failed`
 */
export async function assertNotGuessable(
  db: Queryable,
  field: string,
  password: string,
  { tenantId, email, name }: OwnData,
): Promise<void> {
  if (isCommonPassword(password)) throw validationProblem({ [field]: [brokenRule('password.common')] });
  const tenantName = await selectTenantName(db, tenantId);
  if (repeats(password, [email, name ?? '', tenantName ?? ''])) {
    throw validationProblem({ [field]: [brokenRule('password.personal')] });
  }
}
