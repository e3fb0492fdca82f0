/** Characters of names and values that the log keeps of one response. */
const maxCharacters = 4 * 1024;
const mask = '********';
/** Names of headers with credentials. */
const isSecret = /cookie|auth|token|secret|password|api-?key|signature/;

/**
 * The headers of a response as the log keeps them: names in lower case, repeated ones joined, at most 4 KiB,
 * credentials masked.
 */
export function loggedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  let room = maxCharacters;
  for (const [name, value = ''] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const text = isSecret.test(key) ? mask : [value].flat().join(', ');
    room -= key.length + text.length;
    if (room < 0) break;
    kept[key] = text;
  }
  return kept;
}
