import { attempt } from '../../attempt';

/** A member of two things that are compared. */
export interface Compared {
  name: string;
  first: string;
  second: string;
}

/** The members that differ. A member that one of them does not have is empty there. */
export function differences(
  first: Readonly<Record<string, string>>,
  second: Readonly<Record<string, string>>,
): Compared[] {
  return [...new Set([...Object.keys(first), ...Object.keys(second)])]
    .map((name) => ({ name, first: first[name] ?? '', second: second[name] ?? '' }))
    .filter((own) => own.first !== own.second);
}

/** Headers as texts, with a prefix before each name. Their names have no case. */
export const headersOf = (
  prefix: string,
  headers: Readonly<Record<string, unknown>> | null,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [`${prefix} ${name.toLowerCase()}`, String(value)]),
  );

/** JSON indented for reading. Texts and numbers stay as they are written: long numbers keep all digits. */
export function formatted(text: string): string {
  if (attempt(() => JSON.parse(text) as unknown) === null) return text;
  let indent = '\n';
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[^\s{}[\],:"]+|\S/g)!;
  const parts = tokens.map((token) => {
    if (token === '{' || token === '[') return token + (indent += '  ');
    if (token === '}' || token === ']') return (indent = indent.slice(0, -2)) + token;
    if (token === ',') return token + indent;
    return token === ':' ? ': ' : token.replace(/^([{[])\s+/, '$1');
  });
  return parts.join('');
}
