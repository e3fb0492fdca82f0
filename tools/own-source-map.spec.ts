import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { checkoutDir, localDir } from './infra';

describe('the source map of a bundle', () => {
  let dir: string;
  beforeAll(() => {
    mkdirSync(localDir, { recursive: true });
    dir = mkdtempSync(path.join(localDir, 'bundle-'));
    writeFileSync(
      path.join(dir, 'entry.ts'),
      `import Joi from 'joi';\ninterface Nothing {}\nJoi.assert(process.argv[2], Joi.string().valid('fine'));\nexport function fails(_: Nothing): never {\n  throw new Error('here');\n}\nfails({});\n`,
    );
    const bundler = path.join(checkoutDir, 'tools/build-app.mjs');
    const files = [path.join(dir, 'entry.ts'), path.join(dir, 'main.js')];
    execFileSync(process.execPath, [bundler, ...files], { cwd: checkoutDir });
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  const traceOf = (argument: string) =>
    spawnSync(process.execPath, ['--enable-source-maps', path.join(dir, 'main.js'), argument], {
      encoding: 'utf8',
    }).stderr;

  it('leads a stack trace to the lines that were written', () => {
    expect(traceOf('fine')).toMatch(/at fails .*entry\.ts:5:9/);
    expect(traceOf('other')).toMatch(/entry\.ts:3:5/);
  });

  it('tells nothing of packages, and holds no texts', () => {
    const payload = JSON.parse(readFileSync(path.join(dir, 'main.js.map'), 'utf8')) as SourceMapPayload;
    expect(payload.sourcesContent).toBeUndefined();
    const map = new SourceMap(payload);
    const lines = readFileSync(path.join(dir, 'main.js'), 'utf8').split('\n');
    const told = new Set(
      lines.map((text, line) => {
        const entry = map.findEntry(line, text.length);
        return 'originalSource' in entry ? entry.originalSource : undefined;
      }),
    );
    expect([...told].filter((source) => source !== undefined)).toEqual(['entry.ts']);
  });
});
