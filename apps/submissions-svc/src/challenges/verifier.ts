import { Problem } from '@canvass/errors';
import type { VerifierSettings } from './challenge-settings';

/**
 * Asks a verifier whether it knows the response: a form-encoded POST with `secret`, `response` and, if
 * configured, `remoteip`; a JSON object with `success`. Redirects are not followed.
 *
 * @throws {Problem} `service_unavailable` if it does not answer in time, or refuses the secret
 */
export async function verifyResponse(
  { Url, Secret, SendsAddress, TimeoutMs }: VerifierSettings,
  response: string,
  address: string | null,
): Promise<boolean> {
  const body = new URLSearchParams({ secret: Secret, response });
  if (SendsAddress && address !== null) body.set('remoteip', address);
  let answer: { success?: unknown; 'error-codes'?: unknown } | null;
  try {
    const signal = AbortSignal.timeout(TimeoutMs);
    const reply = await fetch(Url, { method: 'POST', body, redirect: 'error', signal });
    if (!reply.ok) throw new Error(`The verifier answered ${reply.status}.`);
    answer = (await reply.json()) as typeof answer;
  } catch (cause) {
    throw unavailable(cause);
  }
  if (answer?.success === true) return true;
  const codes = Array.isArray(answer?.['error-codes']) ? answer['error-codes'].map(String) : [];
  if (answer?.success !== false || codes.some((code) => code.includes('secret')))
    throw unavailable(new Error(`The verifier refused the request: ${codes.join(', ').slice(0, 200)}`));
  return false;
}

const unavailable = (cause: unknown) =>
  new Problem('service_unavailable', {
    detail: 'The challenge cannot be verified now.',
    headers: { 'Retry-After': '5' },
    cause,
  });
