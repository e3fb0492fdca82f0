import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Asset {
  bytes: Buffer;
  contentType: string;
  /** Of the bytes; its ETag. */
  hash: string;
}

/** Beside the bundle, or at the top of the app when it runs from source. */
const folders = ['assets', '../../assets'].map((folder) => path.join(__dirname, folder));

interface File {
  name: string;
  /** Where the gateway serves it. */
  path: string;
  contentType: string;
}

const files: readonly File[] = [
  {
    name: 'canvass-surveyjs.js',
    path: '/assets/canvass-surveyjs.js',
    contentType: 'text/javascript; charset=utf-8',
  },
  { name: 'asyncapi.json', path: '/api/asyncapi.json', contentType: 'application/json; charset=utf-8' },
];

/**
 * The files under their public paths, read once.
 *
 * @throws {Error} when one is missing, which is a fault of the build
 */
export function loadAssets(): Map<string, Asset> {
  return new Map(
    files.map(({ name, path: servedAt, contentType }) => {
      const file = folders.map((folder) => path.join(folder, name)).find(existsSync);
      if (file === undefined) throw new Error(`the file assets/${name} is missing`);
      const bytes = readFileSync(file);
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      return [servedAt, { bytes, contentType, hash }];
    }),
  );
}
