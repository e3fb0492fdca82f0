import nx from '@nx/eslint-plugin';
import jest from 'eslint-plugin-jest';
import ts from 'typescript-eslint';

const commands = '{tools,build,quality,deploy}/**/*.ts';
const src = ['{apps,libs}/**/src/**/*.{ts,tsx}', commands];
const libraries = ['type:pure', 'type:kit', 'type:adapter', 'type:slice'];
const tests = ['**/*.spec.ts', '**/test/**/*.ts'];

/**
 * The fences between projects. `extra` is `type:testing` for spec files and test/ folders, nothing for
 * product code. docs/architecture.md has the same table in words; quality/lint/fences.spec.ts proves that
 * each fence holds.
 */
const boundaries = (...extra) => {
  const may = (sourceTag, tags, bannedExternalImports = []) => ({
    sourceTag,
    onlyDependOnLibsWithTags: [...tags, ...extra],
    ...(bannedExternalImports.length ? { bannedExternalImports } : {}),
  });
  return [
    'error',
    {
      banTransitiveDependencies: true,
      // Made by the builds, such as the types of the document of the API.
      allow: ['dist/openapi/api\\.mjs$', 'virtual:*'],
      depConstraints: [
        may('type:pure', ['type:pure'], ['knex', 'pg', 'amqplib', 'axios', 'undici']),
        may('type:kit', ['type:pure', 'type:kit'], ['knex', 'pg', 'amqplib']),
        may('type:adapter', ['type:pure', 'type:adapter']),
        may('type:slice', ['type:pure', 'type:kit', 'type:adapter', 'type:slice'], ['amqplib']),
        may('type:web', ['type:pure', 'type:web']),
        may('type:testing', ['type:pure']), // no adapters: their own specs use it, so it would be a cycle
        may('type:app', libraries),
        may('type:e2e', ['type:pure', 'type:tool', 'type:testing', 'type:build']),
        may('type:tool', [...libraries, 'type:testing', 'type:tool']),
        may('type:build', [...libraries, 'type:testing', 'type:tool']),
        may('type:quality', [...libraries, 'type:testing', 'type:tool', 'type:build']),
        ...['submissions', 'datalists', 'relay', 'gateway', 'identity', 'console'].map((s) =>
          may(`scope:${s}`, [`scope:${s}`, 'scope:shared']),
        ),
        may('scope:shared', ['scope:shared']),
      ],
    },
  ];
};

// From a folder within a slice, `../../x` is the index.ts of another one.
const anotherSlice = {
  group: ['../*/*', '!../../*', '../../*/*'],
  message: 'Enter another slice through its index.ts.',
};

/** What has a configuration of its own. */
export const workspaces = { ignores: ['quality/**'] };

export default [
  workspaces,
  { ignores: ['**/node_modules/**', '**/dist/**', '**/.local/**', '**/.nx/**'] },
  ...nx.configs['flat/base'],
  ...ts.configs.recommended.map((config) => ({ ...config, files: ['**/*.{ts,tsx}'] })),
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: {
      parser: ts.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      'no-console': ['error', { allow: ['error'] }],
      eqeqeq: 'error',
      'max-len': ['error', { code: 1000, comments: 110, ignoreUrls: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > ArrayExpression, SpreadElement > ObjectExpression',
          message: 'Write the members themselves, each on a line of its own.',
        },
      ],
    },
  },
  // Comments of these folders are not wrapped at 110 columns yet.
  {
    files: [commands, 'docs/**/*.ts'],
    rules: { 'max-len': 'off' },
  },
  {
    files: src,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(),
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: tests,
    rules: {
      '@nx/enforce-module-boundaries': boundaries('type:testing'),
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-console': 'off',
    },
  },
  {
    files: ['**/*.spec.ts'],
    plugins: jest.configs['flat/recommended'].plugins,
    rules: {
      ...jest.configs['flat/recommended'].rules,
      // `**.expect`, `own.*` and the others call `expect` or reject.
      'jest/expect-expect': [
        'error',
        {
          assertFunctionNames: [
            'expect',
            '**.expect',
            'eventually',
            'agrees',
            'delivered',
            'own.*',
            'expectOneOf',
            'expectRejected',
          ],
        },
      ],
      'jest/no-standalone-expect': [
        'error',
        { additionalTestBlockFunctions: ['beforeAll', 'beforeEach', 'afterEach', 'afterAll', 'eventually'] },
      ],
      // Rows of a table choose what more is expected; each of these tests also expects something of every
      // row.
      'jest/no-conditional-expect': 'off',
    },
  },
  // A command line speaks to people.
  { files: [commands, 'examples/**'], rules: { 'no-console': 'off' } },
  // Inside an app: a slice is entered only through its index.ts.
  {
    files: ['apps/*/src/*/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [anotherSlice] }] },
  },
  // Inside a slice: only *.routes.ts may define endpoints, only *.sql.ts may know the query builder.
  {
    files: ['apps/*/src/*/**/*.ts'],
    ignores: ['**/*.routes.ts', '**/*.sql.ts', ...tests],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@canvass/service-kit',
              importNames: ['endpoint'],
              message: 'HTTP belongs in *.routes.ts.',
            },
            { name: 'knex', message: 'SQL belongs in *.sql.ts.' },
          ],
          patterns: [anotherSlice],
        },
      ],
    },
  },
  // Texts of strangers are text: markup of them never becomes part of the page.
  {
    files: ['{apps/console,libs/console-ui}/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Show text as text: markup from the API would run in the page.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'react',
              importNames: ['lazy'],
              message: 'Use loadable: lazy keeps its fallback for 300 ms or more.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['{apps,libs}/**/*.ts'],
    ignores: ['**/config.ts', '**/main.ts', ...tests],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in config.ts only.' },
      ],
    },
  },
];
