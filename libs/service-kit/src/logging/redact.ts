const secretName =
  /pass(word|wd|phrase)?$|secret|token|authorization|cookie|api-?_?key|private-?_?key|credential/i;
const mask = '********';
/** Caches whether the name of a member indicates a secret. Log lines have few distinct names. */
const verdicts = new Map<string, boolean>();

function saysSecret(name: string): boolean {
  let verdict = verdicts.get(name);
  if (verdict === undefined) {
    verdict = secretName.test(name);
    if (verdicts.size < 1000) verdicts.set(name, verdict);
  }
  return verdict;
}
const deepest = 6;

/**
 * Matches any text that the masks below could change, so that most texts are searched once instead of three
 * times.
 */
const suspicious = /:\/\/|password|pwd|secret|token|api-?key|bearer|basic/i;

/**
 * Masks user info in URLs and `password=…` pairs in text, because error messages may contain connection
 * strings.
 */
export function scrubText(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${mask}@`)
    .replace(/\b(password|pwd|secret|token|api-?key)\s*[=:]\s*[^\s;,&"']+/gi, `$1=${mask}`)
    .replace(/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${mask}`);
}

/**
 * Copies a value for the log: members with the name of a secret are masked, errors become plain objects,
 * bigints become text, and deep or circular values are cut.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  if (value instanceof Error) return redactError(value, depth);
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (depth >= deepest) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, 100).map((element) => redact(element, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    copy[key] =
      saysSecret(key) && member !== null && member !== undefined && typeof member !== 'boolean'
        ? mask
        : redact(member, depth + 1);
  }
  return copy;
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: scrubText(error.message),
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: scrubText(error.stack) }),
    ...(error.cause === undefined || depth >= deepest ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}
