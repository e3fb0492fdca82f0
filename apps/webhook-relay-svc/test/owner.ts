import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { createServiceTokens } from '@canvass/auth';
import { settingsVersionName, type ResolvedWebhookSettings, type SettingsScope } from '@canvass/contracts';
import { listen } from '@canvass/testing';

export const internalSecret = 'a-secret-of-the-services-for-tests-only';

/** The settings' owner as the relay sees it: a real HTTP server that answers the internal endpoint. */
export interface Owner {
  url: string;
  /** Versions it knows. */
  put(settings: ResolvedWebhookSettings): void;
  /** Answers 500 to what is asked of this tenant, as for a key that nothing opens. */
  breakFor(tenantId: string): void;
  /** Answers like another server that has no such path while false. */
  setOwner(isOwner: boolean): void;
  /** Answers 503 while false. */
  setAvailable(available: boolean): void;
  /** Answers requests for the texts of answers; null by default. */
  setTexts(texts: (asked: Record<string, string>) => { answers: unknown; hasListLabels: boolean }): void;
  /** Paths it was asked for with a valid service token, in order. */
  asked: string[];
  close(): Promise<void>;
}

const pathOf = ({ tenantId, scope, scopeId, version }: ResolvedWebhookSettings) =>
  `/internal/tenants/${tenantId}/webhook-settings/${scope}/${scopeId}/versions/${version}`;

/** The sentence as submissions-svc says it. */
function missing(path: string): string {
  const [scope = '', scopeId = '', , version = ''] = path.split('/').slice(5);
  return `There is no version of webhook settings ${settingsVersionName({ scope: scope as SettingsScope, scopeId, version })}.`;
}

export async function startOwner(): Promise<Owner> {
  const known = new Map<string, ResolvedWebhookSettings>();
  const asked: string[] = [];
  const tokens = createServiceTokens(internalSecret);
  const broken = new Set<string>();
  let available = true;
  let isOwner = true;
  let texts: Parameters<Owner['setTexts']>[0] = () => ({ answers: null, hasListLabels: true });
  const { url, close } = await listen((request, response) => {
    const path = request.url ?? '';
    const answer = (status: number, body?: unknown) => {
      // Like submissions-svc, which compresses large answers for those who accept it.
      const isPacked = String(request.headers['accept-encoding']).includes('gzip');
      const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
      response
        .writeHead(status, {
          'content-type': 'application/json',
          ...(isPacked && { 'content-encoding': 'gzip' }),
        })
        .end(isPacked ? gzipSync(bytes) : bytes);
    };
    try {
      tokens.verify((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    } catch {
      answer(401);
      return;
    }
    asked.push(path);
    if (!available) answer(503);
    else if (path === '/internal/answer-texts')
      void json(request).then((body) => answer(200, texts(body as Record<string, string>)));
    else if ([...broken].some((tenantId) => path.includes(`/${tenantId}/`))) answer(500);
    else if (!isOwner) answer(404, { message: 'no route' });
    else
      answer(
        known.has(path) ? 200 : 404,
        known.get(path) ?? { errorCode: 'not_found', detail: missing(path) },
      );
  });
  return {
    url,
    asked,
    put: (settings) => void known.set(pathOf(settings), settings),
    breakFor: (tenantId) => void broken.add(tenantId),
    setOwner: (value) => void (isOwner = value),
    setTexts: (value) => void (texts = value),
    setAvailable: (value) => void (available = value),
    close,
  };
}
