import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The places where the version stands. The first group of a pattern is what precedes it. */
const places: readonly [file: string, pattern: RegExp][] = [
  ['package.json', /^( {2}"version": ")[^"]+/m],
  ['package-lock.json', /^( {2}"version": ")[^"]+/m],
  ['package-lock.json', /("packages": \{\s*"": \{\s*"name": "canvass",\s*"version": ")[^"]+/],
  ['libs/extensions/package.json', /^( {2}"version": ")[^"]+/m],
  ['libs/contracts/src/product-version.ts', /(productVersion = ')[^']+/],
  ['docker-compose.yml', /(canvass:)[\w.-]+/],
  ['k8s/base/kustomization.yaml', /(newTag: )\S+/],
  ['k8s/overlays/example/kustomization.yaml', /(newTag: )\S+/],
  ['deploy/helm/canvass/Chart.yaml', /^(version: )\S+/m],
];

/** A version of SemVer 2.0: `1.4.0`, or `1.4.0-rc.1`. */
export const versionPattern = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/;

/** Writes the version into all files that have it. @throws {Error} if one of them has no place for it */
export function setVersion(root: string, version: string): void {
  for (const [name, pattern] of places) {
    const file = path.join(root, name);
    const text = readFileSync(file, 'utf8');
    if (!pattern.test(text)) throw new Error(`${name} has no version: ${String(pattern)}`);
    writeFileSync(
      file,
      text.replace(pattern, (_, before: string) => before + version),
    );
  }
}

/** A changelog whose section Unreleased became that of a version, and the content of this section. */
export interface ClosedChangelog {
  changelog: string;
  notes: string;
}

const unreleased = '## Unreleased\n';

/**
 * Gives the section Unreleased the version and the day; an empty one stands before it.
 *
 * @param day `2026-11-23`
 * @throws {Error} if there is no section, nothing in it, or the version has one already
 */
export function closeChangelog(text: string, version: string, day: string): ClosedChangelog {
  const [before, after] = text.split(unreleased) as [string, string | undefined];
  if (after === undefined) throw new Error('CHANGELOG.md has no section Unreleased.');
  if (text.includes(`## ${version} `)) throw new Error(`CHANGELOG.md has a section ${version} already.`);
  const end = after.search(/^## /m);
  const notes = (end < 0 ? after : after.slice(0, end)).trim();
  if (notes === '') throw new Error('CHANGELOG.md has nothing below Unreleased.');
  const older = end < 0 ? '' : `\n${after.slice(end)}`;
  const changelog = `${before}${unreleased}\n## ${version} – ${day}\n\n${notes}\n${older}`;
  return { changelog, notes };
}
