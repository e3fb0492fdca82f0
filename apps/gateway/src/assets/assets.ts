import { Problem } from '@canvass/errors';
import {
  assertParameters,
  notesOf,
  notModified,
  publishResponseStarted,
  type HttpOperation,
} from '@canvass/service-kit';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { GatewaySettings } from '../config';
import { consoleConfigurationOperation, type ConsoleConfiguration } from '../console';
import { documentFiles, mediaTypeOf, clientFiles, securityTxtOperation, type AssetFile } from './asset-files';

/** A file that the gateway itself serves. */
export interface Asset {
  operation: HttpOperation;
  contentType: string;
  /** Replaces the policy of the edge, which permits a page nothing. */
  contentSecurityPolicy?: string;
  /** The bytes and their hash, the ETag. Read at the first request, and kept. */
  content(): { bytes: Buffer; hash: string };
}

/** The folders beside the bundle; when the app runs from source, the folders that assets.json lists. */
const folders = [
  'assets',
  '../../assets',
  '../../../../node_modules/swagger-ui-dist',
  '../../../../dist/openapi',
].map((folder) => path.join(__dirname, folder));

/** A page may load from and call its own origin only. Its icons are in its style sheet. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const allow = 'GET, HEAD, OPTIONS';

/**
 * The files by public path. Without `PublicDocuments` these are only the files that web pages need; with
 * `SecurityContact` also security.txt.
 *
 * @throws {Error} when one is missing, which is an error of the build
 */
export function loadAssets(
  {
    PublicDocuments,
    SecurityContact,
    PathPrefix,
  }: Pick<GatewaySettings, 'PublicDocuments' | 'SecurityContact' | 'PathPrefix'>,
  configuration: ConsoleConfiguration,
): Map<string, Asset> {
  const assets = [
    ...(PublicDocuments ? documentFiles : []).map((file) => assetOf(file, PathPrefix)),
    ...clientFiles.map((file) => assetOf(file, PathPrefix)),
    consoleConfigurationAsset(configuration),
    ...(SecurityContact === undefined ? [] : [securityTxt(SecurityContact)]),
  ];
  return new Map(assets.map((asset) => [asset.operation.path, asset]));
}

/** RFC 9116. It expires a year after the start of this process. */
function securityTxt(contact: string): Asset {
  const expires = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString();
  const bytes = Buffer.from(`Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`);
  return {
    operation: securityTxtOperation,
    contentType: 'text/plain; charset=utf-8',
    content: () => ({ bytes, hash: hashOf(bytes) }),
  };
}

function consoleConfigurationAsset(configuration: ConsoleConfiguration): Asset {
  const bytes = Buffer.from(JSON.stringify(configuration));
  return {
    operation: consoleConfigurationOperation,
    contentType: 'application/json; charset=utf-8',
    content: () => ({ bytes, hash: hashOf(bytes) }),
  };
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

function assetOf({ name, operation }: AssetFile, pathPrefix: string): Asset {
  const file = folders.map((folder) => path.join(folder, name)).find(existsSync);
  if (file === undefined) throw new Error(`The file ${name} is missing: npx nx build gateway makes it.`);
  let content: ReturnType<Asset['content']> | undefined;
  const read = () => {
    const built = readFileSync(file);
    const bytes = name.startsWith('openapi') && pathPrefix !== '' ? withServer(built, pathPrefix) : built;
    return { bytes, hash: hashOf(bytes) };
  };
  return {
    operation,
    contentType: `${mediaTypeOf(name)}; charset=utf-8`,
    ...(name.endsWith('.html') ? { contentSecurityPolicy: pagePolicy } : {}),
    content: () => (content ??= read()),
  };
}

/** An OpenAPI document of a gateway that a proxy serves at a path. */
function withServer(document: Buffer, url: string): Buffer {
  const parsed = JSON.parse(document.toString()) as { servers: { url: string }[] };
  return Buffer.from(JSON.stringify({ ...parsed, servers: parsed.servers.map((own) => ({ ...own, url })) }));
}

/**
 * Responds with a file. Browsers revalidate their copy at each use.
 *
 * @throws {Problem} `method_not_allowed`; `validation_failed` for a query
 */
export function sendAsset(asset: Asset, request: IncomingMessage, response: ServerResponse): void {
  const { operation } = asset;
  const notes = notesOf(response);
  notes.route = operation.path;
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { Allow: allow }).end();
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Problem('method_not_allowed', { headers: { Allow: allow } });
  }
  publishResponseStarted({ operation, request, response });
  notes.operationId = operation.operationId;
  assertParameters(operation.query, request);
  const { bytes, hash } = asset.content();
  response.setHeader('ETag', `"${hash}"`);
  response.setHeader('Cache-Control', 'public, no-cache');
  if (asset.contentSecurityPolicy !== undefined) {
    response.setHeader('Content-Security-Policy', asset.contentSecurityPolicy);
  }
  if (notModified(request.headers['if-none-match'], hash)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('Content-Type', asset.contentType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
