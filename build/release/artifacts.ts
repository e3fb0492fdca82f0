import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageClient } from '../package-client';

/** Documents of the build that belong to a release, and what a host needs beside the image. */
const files = [
  'dist/sbom.cdx.json',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/openapi/openapi.json',
  'dist/openapi/openapi-webhooks.json',
  'apps/gateway/assets/asyncapi.json',
  'docker-compose.yml',
  'docker-compose.secrets.yml',
  'deploy/new-secrets.mjs',
];

/**
 * Writes `dist/release`: notes, bill of materials, API documents, the Compose file and the packages for npm.
 * The documents of the build must exist.
 */
export async function writeArtifacts(root: string, notes: string): Promise<string> {
  const target = path.join(root, 'dist/release');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'NOTES.md'), `${notes}\n`);
  for (const file of files) copyFileSync(path.join(root, file), path.join(target, path.basename(file)));
  const client = path.join(root, 'dist/libs/client');
  await packageClient(client);
  for (const folder of [client, path.join(root, 'libs/extensions')])
    execFileSync('npm', ['pack', folder, '--silent', '--pack-destination', target], { cwd: root });
  return target;
}

/** Commits all changes and tags the commit. Does not push. @returns the tag */
export function commitAndTag(root: string, version: string, notes: string): string {
  const tag = `v${version}`;
  git(root, 'commit', '--all', '--message', `chore(build): release ${version}`);
  git(root, 'tag', '--annotate', tag, '--cleanup=verbatim', '--message', `Canvass ${version}\n\n${notes}\n`);
  return tag;
}

/** @throws {Error} if there are changes that are not committed, or the version has a tag */
export function assertReleasable(root: string, version: string): void {
  if (git(root, 'status', '--porcelain') !== '') throw new Error('Commit or stash your changes first.');
  if (git(root, 'tag', '--list', `v${version}`) !== '')
    throw new Error(`The tag v${version} exists already.`);
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
