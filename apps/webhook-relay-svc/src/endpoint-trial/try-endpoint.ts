import { recordAudit } from '@canvass/audit';
import { secretMask, webhookEvents, type WebhookEndpoint, type WebhookEventName } from '@canvass/contracts';
import { brokenRule, validationProblem } from '@canvass/errors';
import { statement, type Queryable } from '@canvass/postgres';
import {
  checkWebhookUrl,
  resolveEndpoint,
  type AddressPolicy,
  type Resolver,
} from '@canvass/webhook-addresses';
import {
  countTest,
  credentialsOf,
  exampleFor,
  newSigningSecret,
  noCredentials,
  secretsOf,
} from '../endpoints';
import { attempt, type Outcome, type Sender } from '../pipeline';

export interface Trial {
  tenantId: string;
  /** The name of the event in settings. */
  event: WebhookEventName;
  endpoint: WebhookEndpoint;
  traceparent: string;
}

/** What came of the one request. */
export interface TrialView {
  outcome: Outcome;
  statusCode: number | null;
  /** Words for people; null for a complete answer. */
  error: string | null;
  totalMs: number;
  /** The first 1,024 bytes, secrets masked. */
  responseBody: string;
}

export interface TrialDeps {
  db: Queryable;
  sender: Sender;
  policy: AddressPolicy;
  resolver?: Resolver | undefined;
  /** Aborts when the service stops. */
  signal: AbortSignal;
}

const shownBytes = 1_024;

const nextMessageId = statement<void, { id: string }>('endpoint_trial_message_id', 'select next_id() as id');

/**
 * Sends the documents' example of an event once to an endpoint that need not be in any settings. Nothing is
 * stored but the audit trail. It is signed with a secret of its own, because the endpoint has none yet.
 *
 * @throws {Problem} `validation_failed` for an address that webhooks may not reach, or a masked secret;
 * `too_many_requests` after some in an hour
 */
export async function tryEndpoint(
  { db, sender, policy, resolver, signal }: TrialDeps,
  { tenantId, event, endpoint, traceparent }: Trial,
): Promise<TrialView> {
  const { url, payload = 'full', format = 'canvass', ...resolved } = resolveEndpoint(endpoint);
  const credentials = credentialsOf({ endpointId: '0', url, ...resolved }) ?? noCredentials;
  if (secretsOf(credentials).includes(secretMask))
    throw validationProblem({ endpoint: ['has a secret that is masked; a test needs the secret itself'] });
  const verdict = await checkWebhookUrl(url, policy, resolver);
  if (!verdict.ok)
    throw validationProblem({ 'endpoint.Url': [brokenRule('url.refused', { reason: verdict.reason })] });
  await countTest(db, tenantId, 'endpoint');
  const { eventName } = Object.values(webhookEvents).find(({ settingsName }) => settingsName === event)!;
  await recordAudit(db, {
    tenantId,
    object: ['webhook_endpoint', null],
    after: { host: new URL(url).host, eventName },
  });
  const [{ id } = { id: '' }] = await db.query(nextMessageId());
  const now = Date.now();
  const asked = { scope: 'tenant', scopeId: tenantId, eventName, messageId: id } as const;
  const { entity, action, body: stored } = exampleFor(tenantId, asked);
  // Its id stands for the endpoint, too, so that it gets no token of another one.
  const message = { tenantId, endpointId: id, messageId: id, eventName, entity, action, traceparent };
  const { result } = await attempt(
    sender,
    { ...message, claimedAt: Math.floor(now / 1000), occurredAt: now },
    { target: { ...credentials, url, payload, format, signingSecrets: [newSigningSecret()] }, stored },
    signal,
  );
  const { outcome, statusCode, error, totalMs, responseBody } = result;
  return {
    outcome,
    statusCode,
    error,
    totalMs: Math.round(totalMs),
    responseBody: responseBody.subarray(0, shownBytes).toString('utf8'),
  };
}
