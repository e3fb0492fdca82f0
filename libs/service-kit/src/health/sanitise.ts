import { redact, scrubText } from '../logging/redact';
import type { CheckResult } from './report';

/** A code such as `ECONNREFUSED` or `57P03`. Other texts of a library might hold a secret. */
const errorCode = /^[A-Z][A-Z0-9_]{1,39}$|^[0-9A-Z]{5}$/;
const connectionString =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\b(host|server|data source|user id|uid)\s*=\s*[^;\s]+/gi;

/** Describes a check that threw: with the error code, without the message of the library. */
export function failureDescription(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? 'The check failed.' : `The check failed (${code}).`;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === 'string' && errorCode.test(code)) return code;
  return codeOf(cause ?? (Array.isArray(errors) ? errors[0] : undefined));
}

/**
 * Cleans a result for the public report: first line only, no addresses, no secrets, data that is valid JSON.
 */
export function sanitise(result: CheckResult): { description: string | null; data: Record<string, unknown> } {
  const description = typeof result.description === 'string' ? cleanText(result.description) : null;
  const data = result.data === undefined ? {} : (cleanData(redact(result.data)) as Record<string, unknown>);
  return { description, data };
}

const cleanText = (text: string): string =>
  scrubText(text.split(/\r?\n/, 1)[0]!).replace(connectionString, '[withheld]').slice(0, 300);

function cleanData(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanData);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== 'stack');
  return Object.fromEntries(members.map(([key, member]) => [key, cleanData(member)]));
}
