import { endOfString } from './json-text';

/**
 * Merges two JSON objects given as text at their top level. Members of `patch` replace those of `stored` in
 * place; new ones are appended. The texts of values are copied unchanged, so that no number loses digits. If
 * one of the two is not an object, `patch` replaces everything. Both must be valid JSON.
 */
export function mergeMetadata(stored: string, patch: string): string {
  const before = membersOf(stored);
  const changes = membersOf(patch);
  if (!before || !changes) return patch;
  if (before.size === 0) return patch;
  if (changes.size === 0) return stored;
  for (const [name, member] of changes) before.set(name, member);
  return `{${[...before.values()].join(',')}}`;
}

/**
 * Decoded name → text of the member, in order; the last of equal names counts. Null if the text is not an
 * object.
 */
function membersOf(text: string): Map<string, string> | null {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return null;
  at = skipSpace(text, at + 1);
  while (text[at] !== '}') {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const valueEnd = endOfValue(text, skipSpace(text, nameEnd) + 1);
    members.set(name, text.slice(at, valueEnd).trimEnd());
    at = text[valueEnd] === ',' ? skipSpace(text, valueEnd + 1) : valueEnd;
  }
  return members;
}

/** The position of the `,` or `}` after a member's value. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; ; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (depth === 0 && (char === ',' || char === '}')) return at;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === undefined) throw new Error('The text is not valid JSON.');
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}
