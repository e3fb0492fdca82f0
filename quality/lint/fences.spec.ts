import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { LintCase, LintFinding } from './lint-cases';

const root = path.join(__dirname, '../..');

/** A fence: source at a place where it is wrong, the rule that must say so, and a word of its message. */
interface Fence extends LintCase {
  name: string;
  rule: string;
  says: RegExp;
}

const boundary = '@nx/enforce-module-boundaries';
const lines = (count: number) => 'export {};\n'.repeat(count);

const fences: Fence[] = [
  {
    name: 'knex in a pure library',
    filePath: 'libs/contracts/src/index.ts',
    code: "import knex from 'knex';\nexport const k = knex;\n",
    rule: boundary,
    says: /not allowed to import/,
  },
  {
    name: 'HTTP in an adapter library',
    filePath: 'libs/messaging/src/index.ts',
    code: "import { endpoint } from '@canvass/service-kit';\nexport const e = endpoint;\n",
    rule: boundary,
    says: /can only depend on|Circular dependency/,
  },
  {
    name: 'amqplib in a shared slice',
    filePath: 'libs/platform/src/audit/index.ts',
    code: "import amqp from 'amqplib';\nexport const c = amqp.connect;\n",
    rule: boundary,
    says: /not allowed to import/,
  },
  {
    name: 'pg in a kit library',
    filePath: 'libs/service-kit/src/index.ts',
    code: "import pg from 'pg';\nexport const pool = pg.Pool;\n",
    rule: boundary,
    says: /not allowed to import/,
  },
  {
    name: 'errors importing service-kit',
    filePath: 'libs/errors/src/index.ts',
    code: "import { runService } from '@canvass/service-kit';\nexport const r = runService;\n",
    rule: boundary,
    says: /can only depend on|Circular dependency/,
  },
  {
    name: 'the testing library in product code',
    filePath: 'apps/gateway/src/app.ts',
    code: "import { eventually } from '@canvass/testing';\nexport const e = eventually;\n",
    rule: boundary,
    says: /can only depend on/,
  },
  {
    name: 'one app importing another',
    filePath: 'apps/gateway/src/app.ts',
    code: "import { createApp } from '../../submissions-svc/src/app';\nexport const c = createApp;\n",
    rule: boundary,
    says: /cannot be imported by a relative/,
  },
  {
    name: 'a command of the product using a build step',
    filePath: 'tools/ops/main.ts',
    code: "import { pathFinder } from '@canvass/openapi';\nexport const p = pathFinder;\n",
    rule: boundary,
    // Build steps use tools, so the rule may report the circle instead.
    says: /can only depend on|Circular dependency/,
  },
  {
    name: 'a deep import into another slice',
    filePath: 'apps/submissions-svc/src/submissions/create-submission.ts',
    code: "import { findForm } from '../forms/forms.sql';\nexport const f = findForm;\n",
    rule: 'no-restricted-imports',
    says: /through its index/,
  },
  {
    name: 'an endpoint in a verb file',
    filePath: 'apps/submissions-svc/src/submissions/create-submission.ts',
    code: "import { endpoint } from '@canvass/service-kit';\nexport const e = endpoint;\n",
    rule: 'no-restricted-imports',
    says: /HTTP belongs in/,
  },
  {
    name: 'knex in a verb file',
    filePath: 'apps/submissions-svc/src/submissions/create-submission.ts',
    code: "import knex from 'knex';\nexport const k = knex;\n",
    rule: 'no-restricted-imports',
    says: /SQL belongs in/,
  },
  {
    name: 'process.env outside config.ts',
    filePath: 'apps/identity-svc/src/tokens/login.ts',
    code: "export const secret = process.env['SECRET'];\n",
    rule: 'no-restricted-properties',
    says: /config\.ts only/,
  },
  {
    name: 'a promise without await',
    filePath: 'tools/ops/main.ts',
    code: 'const work = async () => 1;\nwork();\n',
    rule: '@typescript-eslint/no-floating-promises',
    says: /must be awaited/,
  },
  {
    name: 'a promise as a condition',
    filePath: 'tools/ops/main.ts',
    code: 'const work = async () => true;\nif (work()) process.exit();\n',
    rule: '@typescript-eslint/no-misused-promises',
    says: /Expected non-Promise/,
  },
  {
    name: 'await of a value that is not a promise',
    filePath: 'tools/ops/main.ts',
    code: 'export const work = async () => await 1;\n',
    rule: '@typescript-eslint/await-thenable',
    says: /Unexpected `await`/,
  },
  {
    name: 'a comment over 110 columns',
    filePath: 'apps/gateway/src/app.ts',
    code: `// ${'x'.repeat(108)}\nexport {};\n`,
    rule: 'max-len',
    says: /Maximum allowed is 110/,
  },
  {
    name: 'the spread of an object literal',
    filePath: 'apps/gateway/src/app.ts',
    code: 'export const sum = { ...{ a: 1, b: 2 }, c: 3 };\n',
    rule: 'no-restricted-syntax',
    says: /members themselves/,
  },
  {
    name: 'the spread of an array literal',
    filePath: 'apps/gateway/test/docs.api.spec.ts',
    code: 'export const sum = [...[1, 2], 3];\n',
    rule: 'no-restricted-syntax',
    says: /members themselves/,
  },
  {
    name: 'a library of servers in the console',
    filePath: 'apps/console/src/main.tsx',
    code: "import { runService } from '@canvass/service-kit';\nexport const r = runService;\n",
    rule: boundary,
    says: /can only depend on/,
  },
  {
    name: 'markup of strangers in the console',
    filePath: 'apps/console/src/main.tsx',
    code: 'export const show = (html: string) => <p dangerouslySetInnerHTML={{ __html: html }} />;\n',
    rule: 'no-restricted-syntax',
    says: /Show text as text/,
  },
  {
    name: 'components of the console that show a fallback for 300 ms',
    filePath: 'apps/console/src/main.tsx',
    code: "import { lazy } from 'react';\nexport const later = lazy;\n",
    rule: 'no-restricted-imports',
    says: /Use loadable/,
  },
  {
    name: 'a file over 300 lines',
    filePath: 'apps/gateway/src/routing/route-table.ts',
    code: lines(301),
    rule: 'max-lines',
    says: /Maximum allowed is 300/,
  },
];

/** The same imports where they belong. */
const clean: (LintCase & { name: string })[] = [
  {
    name: 'an app using a kit library',
    filePath: 'apps/gateway/src/app.ts',
    code: "import { runService } from '@canvass/service-kit';\nexport const r = runService;\n",
  },
  {
    name: 'the testing library in a spec file',
    filePath: 'apps/gateway/test/docs.api.spec.ts',
    code: "import { eventually } from '@canvass/testing';\nvoid eventually;\n",
  },
  {
    name: 'another slice through its door',
    filePath: 'apps/submissions-svc/src/access-tokens/issue-token.ts',
    code: "import { readRuntimeForm } from '../forms';\nexport const f = readRuntimeForm;\n",
  },
  {
    name: 'process.env in config.ts',
    filePath: 'apps/identity-svc/src/config.ts',
    code: 'export const environment = process.env;\n',
  },
  {
    name: 'a conditional spread',
    filePath: 'apps/gateway/src/app.ts',
    code: 'export const of = (a?: number) => ({ ...(a === undefined ? {} : { a }) });\n',
  },
  {
    name: 'a file of 300 lines',
    filePath: 'apps/gateway/src/routing/route-table.ts',
    code: lines(300),
  },
];

describe('the lint fences', () => {
  let found: LintFinding[][];

  beforeAll(() => {
    const output = execFileSync(
      process.execPath,
      ['--import', 'tsx', path.join(__dirname, 'lint-cases.ts')],
      {
        cwd: root,
        input: JSON.stringify([...fences, ...clean]),
        env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NO_COLOR: '1' },
        maxBuffer: 16 * 1024 * 1024,
      },
    );
    found = JSON.parse(output.toString('utf8')) as LintFinding[][];
  });

  it.each(fences.map((fence, index) => ({ ...fence, index })))('stop $name', ({ index, rule, says }) => {
    expect(found[index]).toContainEqual({ rule, message: expect.stringMatching(says) as string });
  });

  it.each(clean.map((entry, index) => ({ ...entry, index: fences.length + index })))(
    'let $name pass',
    ({ index }) => {
      expect(found[index]).toEqual([]);
    },
  );
});
