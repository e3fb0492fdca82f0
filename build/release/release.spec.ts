import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { assertReleasable, commitAndTag } from './artifacts';
import { closeChangelog, setVersion, versionPattern } from './version';

const root = path.join(__dirname, '../..');
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

describe('the version', () => {
  it('is written wherever it stands, and nowhere else', () => {
    const tracked = git(root, 'ls-files').split('\n');
    const current = (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string })
      .version;
    const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-release-'));
    try {
      const files = tracked.filter((file) => /\.(json|ts|ya?ml)$/.test(file));
      const read = (file: string) => readFileSync(path.join(dir, file), 'utf8');
      for (const file of files) cpSync(path.join(root, file), path.join(dir, file));
      setVersion(dir, '7.8.9');
      const changed = files.filter((file) => readFileSync(path.join(root, file), 'utf8') !== read(file));
      expect(changed).toEqual([
        'deploy/helm/canvass/Chart.yaml',
        'docker-compose.yml',
        'k8s/base/kustomization.yaml',
        'k8s/overlays/example/kustomization.yaml',
        'libs/contracts/src/product-version.ts',
        'libs/extensions/package.json',
        'package-lock.json',
        'package.json',
      ]);
      const count = (file: string) => read(file).split('7.8.9').length - 1;
      for (const file of changed)
        expect([file, count(file)]).toEqual([file, file === 'package-lock.json' ? 2 : 1]);
      expect(read('package.json')).not.toContain(`"version": "${current}"`);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it.each(['0.1.0', '10.20.30', '1.0.0-rc.1'])('may be %s', (version) => {
    expect(version).toMatch(versionPattern);
  });
  it.each(['v1.0.0', '1.0', '01.0.0', '1.0.0 ', ''])('may not be %j', (version) => {
    expect(version).not.toMatch(versionPattern);
  });
});

describe('the changelog', () => {
  const head = '# Changelog\n\n';

  it('gets a section with version and day, and an empty one for what follows', () => {
    const text = `${head}## Unreleased\n\n### Added\n\n- A.\n\n## 0.1.0 – 2026-01-01\n\n- Z.\n`;
    expect(closeChangelog(text, '0.2.0', '2026-02-03')).toEqual({
      notes: '### Added\n\n- A.',
      changelog: `${head}## Unreleased\n\n## 0.2.0 – 2026-02-03\n\n### Added\n\n- A.\n\n## 0.1.0 – 2026-01-01\n\n- Z.\n`,
    });
  });

  it('may have no earlier section', () => {
    const { changelog } = closeChangelog(`${head}## Unreleased\n\n- A.\n`, '0.1.0', '2026-02-03');
    expect(changelog).toBe(`${head}## Unreleased\n\n## 0.1.0 – 2026-02-03\n\n- A.\n`);
  });

  it.each([
    [`${head}- A.\n`, /no section Unreleased/],
    [`${head}## Unreleased\n\n## 0.0.9 – 2026-01-01\n\n- Z.\n`, /nothing below Unreleased/],
    [`${head}## Unreleased\n\n- A.\n\n## 0.1.0 – 2026-01-01\n`, /section 0\.1\.0 already/],
  ])('is refused: %j', (text, reason) => {
    expect(() => closeChangelog(text, '0.1.0', '2026-02-03')).toThrow(reason);
  });

  it('of this checkout can be closed', () => {
    const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
    // Right after a release the section is empty. This entry is the last one, so the notes begin as they are.
    const changed = text.replace(/^## (?=\d)/m, '### Added\n\n- A.\n\n## ');
    expect(closeChangelog(changed, '99.0.0', '2026-02-03').notes).toMatch(/^### Added/);
  });
});

it('commits and tags a clean checkout once', () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-release-'));
  try {
    git(dir, 'init', '--quiet');
    for (const [key, value] of Object.entries({ 'user.name': 'R', 'user.email': 'r@example.org' }))
      git(dir, 'config', key, value);
    const file = path.join(dir, 'package.json');
    writeFileSync(file, '{}');
    expect(() => assertReleasable(dir, '0.1.0')).toThrow('Commit or stash');
    git(dir, 'add', '.');
    git(dir, 'commit', '--quiet', '--message', 'chore: begin');
    assertReleasable(dir, '0.1.0');
    writeFileSync(file, '{"version":"0.1.0"}');
    expect(commitAndTag(dir, '0.1.0', '### Added\n\n- A.')).toBe('v0.1.0');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    expect(git(dir, 'log', '-1', '--format=%s')).toBe('chore(build): release 0.1.0');
    expect(git(dir, 'tag', '--list', '--format=%(contents)', 'v0.1.0')).toBe(
      'Canvass 0.1.0\n\n### Added\n\n- A.',
    );
    expect(() => assertReleasable(dir, '0.1.0')).toThrow('The tag v0.1.0 exists already.');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
