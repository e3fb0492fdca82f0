import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');

/** Builds the OpenAPI document, which the gateway serves, unless it is there. */
export default function buildDocuments(): void {
  if (existsSync(path.join(root, 'dist/openapi/openapi.json'))) return;
  execFileSync(process.execPath, [require.resolve('nx/bin/nx.js'), 'run', 'build:openapi'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
