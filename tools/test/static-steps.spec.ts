import { stepsOf, wholeTree, type StaticSteps } from './static-steps';

const named = ({ first, generated, sides }: StaticSteps) =>
  Object.fromEntries([first, generated, ...sides].flatMap((steps) => Object.entries(steps)));

it('judges the changed files first, and types before the rest', () => {
  const steps = stepsOf(['apps/gateway/src/app.ts', 'apps/gateway/schema.sql']);
  expect(Object.values(steps.first)[0]).toEqual(
    expect.arrayContaining(['--check', 'apps/gateway/src/app.ts', 'apps/gateway/schema.sql']),
  );
  expect(Object.keys(steps.sides[0]!)[0]).toBe('types (tsconfig.json)');
  expect(named(steps)['lint of what changed']!.slice(-2)).toEqual([
    '--no-warn-ignored',
    'apps/gateway/src/app.ts',
  ]);
});

it('builds the site for documents only, and lints and spells no proofs', () => {
  const code = Object.keys(named(stepsOf(['quality/chaos/plan.ts'])));
  expect(code).not.toContain('site of the documents');
  expect(code.filter((name) => /^(lint|spelling)/.test(name))).toEqual([]);
  expect(Object.keys(named(stepsOf(['docs/events.md'])))).toContain('site of the documents');
});

it.each(['eslint.config.mjs', 'tsconfig.base.json', 'package-lock.json', 'cspell.json', '.prettierrc.json'])(
  'judges the whole work tree when %s changed',
  (file) => expect(stepsOf(['README.md', file])).toBe(wholeTree),
);

it('has nothing to read of files without a change', () => {
  expect(stepsOf([]).first).toEqual({});
  expect(Object.keys(named(stepsOf([]))).filter((name) => name.includes('changed'))).toEqual([]);
});
