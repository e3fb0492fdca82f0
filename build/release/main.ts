import { runCommand, runNode, SetupError } from '@canvass/infra';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assertReleasable, commitAndTag, writeArtifacts } from './artifacts';
import { closeChangelog, setVersion, versionPattern } from './version';

const root = path.join(__dirname, '../..');
const nx = require.resolve('nx/bin/nx.js');

/**
 * `npm run release -- <version>`: writes the version everywhere, closes the section Unreleased of the
 * changelog, writes `dist/release`, commits and tags. It pushes and publishes nothing (docs/releasing.md).
 */
async function main(): Promise<number> {
  const [version = ''] = process.argv.slice(2);
  if (!versionPattern.test(version))
    throw new SetupError('npm run release -- <version>, such as 0.2.0 or 1.0.0-rc.1.');
  assertReleasable(root, version);
  const file = path.join(root, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = closeChangelog(readFileSync(file, 'utf8'), version, day);
  setVersion(root, version);
  writeFileSync(file, changelog);
  await step('generated documents', ['--import', 'tsx', 'build/docs/main.ts']);
  await step('OpenAPI document', [nx, 'run', 'build:openapi']);
  await step('bill of materials', [nx, 'run', 'build:supply-chain']);
  const folder = await writeArtifacts(root, notes);
  const tag = commitAndTag(root, version, notes);
  console.log(`${path.relative(root, folder)} holds the files of the release, ${tag} is its tag.`);
  console.log(`To publish: git push --follow-tags, and the steps in docs/releasing.md.`);
  return 0;
}

async function step(name: string, args: readonly string[]): Promise<void> {
  const { status, output } = await runNode(args);
  if (status !== 0) throw new SetupError(`${output.trim()}\n${name}: see the lines above.`);
}

runCommand(main);
