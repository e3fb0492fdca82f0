import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HttpOperation } from '@canvass/service-kit';
import { assetFiles, mediaTypeOf, type AssetFile } from './asset-files';

/** A file that the gateway itself has. */
export interface Asset {
  operation: HttpOperation;
  contentType: string;
  /** In place of the edge's, which lets a page do nothing. */
  contentSecurityPolicy?: string;
  /** The bytes and their hash, the ETag; read when first asked for, and kept. */
  content(): { bytes: Buffer; hash: string };
}

/** Beside the bundle; when the app runs from source, where assets.json has them from. */
const folders = [
  ...['assets', '../../assets'],
  ...['node_modules/swagger-ui-dist', 'dist/openapi'].map((folder) => `../../../../${folder}`),
].map((folder) => path.join(__dirname, folder));

/** A page may load and call what is of its own origin, and nothing else; its icons are in its style sheet. */
const ofPages = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"],
  ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

/**
 * The files under their public paths.
 *
 * @throws {Error} when one is missing, which is a fault of the build
 */
export function loadAssets(): Map<string, Asset> {
  return new Map(assetFiles.map((file) => [file.operation.path, assetOf(file)]));
}

function assetOf({ name, operation }: AssetFile): Asset {
  const file = folders.map((folder) => path.join(folder, name)).find(existsSync);
  if (file === undefined) throw new Error(`the file ${name} is missing: npx nx build gateway makes all`);
  let content: ReturnType<Asset['content']> | undefined;
  const read = () => {
    const bytes = readFileSync(file);
    return { bytes, hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
  };
  return {
    operation,
    contentType: `${mediaTypeOf(name)}; charset=utf-8`,
    ...(name.endsWith('.html') ? { contentSecurityPolicy: ofPages } : {}),
    content: () => (content ??= read()),
  };
}
