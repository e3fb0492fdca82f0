import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { anchorsOf, codeBlocksOf, linkFaults, markdownFiles, sampleFaults } from './markdown';

const root = path.join(__dirname, '../..');

describe('the documents of this repository', () => {
  const files = markdownFiles(root);

  it('link to files and headings that exist', () => {
    expect(files.length).toBeGreaterThan(80);
    expect(files.flatMap((file) => linkFaults(root, file))).toEqual([]);
  });

  it('have code samples that can be read', () => {
    expect(files.flatMap((file) => sampleFaults(root, file))).toEqual([]);
  });

  it('are all named by another one', () => {
    const named = new Set(
      files.flatMap((file) =>
        [...readFileSync(path.join(root, file), 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map(([, link]) =>
          path.join(path.dirname(file), link!),
        ),
      ),
    );
    const pages = files.filter((file) => /^docs\/[^/]+\.md$/.test(file));
    expect(pages.filter((page) => !named.has(page))).toEqual([]);
  });

  it('include forms for issues that GitHub can read', () => {
    for (const name of ['bug', 'feature']) {
      const form = parse(readFileSync(path.join(root, `.github/ISSUE_TEMPLATE/${name}.yml`), 'utf8')) as {
        name: string;
        description: string;
        body: { type: string; id?: string; attributes: Record<string, unknown> }[];
      };
      expect([form.name, form.description]).toEqual([expect.any(String), expect.any(String)]);
      const fields = form.body.filter(({ type }) => type !== 'markdown');
      expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
      for (const { type, attributes } of fields) {
        expect(['input', 'textarea', 'dropdown']).toContain(type);
        expect(attributes['label']).toEqual(expect.any(String));
      }
    }
  });
});

describe('the check', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'markdown-'));
    mkdirSync(path.join(dir, 'docs'));
    writeFileSync(path.join(dir, 'README.md'), '# Top\n\n## A `b` (c), d\n\n## Twice\n\n## Twice\n');
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const page = (text: string) => {
    writeFileSync(path.join(dir, 'docs/page.md'), text);
    return [...linkFaults(dir, 'docs/page.md'), ...sampleFaults(dir, 'docs/page.md')];
  };

  it('knows the anchors of headings', () => {
    expect([...anchorsOf(readFileSync(path.join(dir, 'README.md'), 'utf8'))]).toEqual([
      'top',
      'a-b-c-d',
      'twice',
      'twice-1',
    ]);
  });

  it('accepts what is right', () => {
    expect(
      page(
        '# P\n[a](../README.md#a-b-c-d) [b](#p) [c](https://x.example/y) `[d](e)`\n```md\n[f](g)\n```\n```json\n{"a":1}\n{"b":2}\n```\n',
      ),
    ).toEqual([]);
  });

  it.each([
    ['\n[a](b.md)', /page\.md:2 links to docs\/b\.md, which does not exist/],
    ['[a](../README.md#nothing)', /#nothing, which README\.md does not have/],
    ['[a](#nothing)', /#nothing/],
    ['[a]: b.md', /links to docs\/b\.md/],
    ['```json\n{"a": }\n```\n', /page\.md:1 is not json/],
    ['\n```yaml\na: [\n```\n', /page\.md:2 is not yaml/],
    ['```sh\nif true; then\n```\n', /is not sh/],
    ['```js\nconst = 1;\n```\n', /is not js/],
  ])('finds the fault in %j', (text, fault) => {
    expect(page(text)).toEqual([expect.stringMatching(fault)]);
  });

  it('reads code in lists without its indent', () => {
    expect(codeBlocksOf('- a\n\n  ```sh\n  echo a\n  ```\n')).toEqual([
      { language: 'sh', text: 'echo a\n', line: 3 },
    ]);
  });
});
