import path from 'node:path';
import { coverageFaults, coverageRows, rowsOf } from './spec-coverage';

const root = path.join(__dirname, '../..');

test('every rule in quality/records/spec-coverage names tests that exist', () => {
  const rows = coverageRows(root);
  expect(rows.length).toBeGreaterThan(10);
  expect(coverageFaults(root, rows)).toEqual([]);
});

test('each of the nineteen hazards of delivery has a row of its own, with tests', () => {
  const rows = coverageRows(root).filter(({ at }) =>
    at.startsWith('quality/records/spec-coverage/hazards.md'),
  );
  expect(rows.map(({ rule }) => parseInt(rule, 10))).toEqual(Array.from({ length: 19 }, (_, n) => n + 1));
  expect(rows.flatMap(({ proofs }) => proofs).filter((proof) => proof.startsWith('No test'))).toEqual([]);
});

const spec = 'build/docs/spec-coverage.spec.ts';
const absent = 'x'.repeat(9);

test.each([
  ['a title', `\`${spec}\` › \`a title\``, []],
  ['a reason', 'No test: the specification leaves it open.', []],
  ['nothing readable', 'somewhere', ['p.md:1: cannot read the proof somewhere']],
  ['no spec', '`README.md` › `x`', ['p.md:1: cannot read the proof `README.md` › `x`']],
  ['a missing file', '`no.spec.ts` › `x`', ['p.md:1: there is no file no.spec.ts']],
  ['a missing test', `\`${spec}\` › \`${absent}\``, [`p.md:1: ${spec} has no test "${absent}"`]],
])('a proof that is %s', (_what, proof, faults) => {
  expect(coverageFaults(root, rowsOf('p.md', `- One\n  - ${proof}\n\n`))).toEqual(faults);
});

test('a rule without a proof is a fault', () => {
  expect(coverageFaults(root, rowsOf('p.md', '- One\n- Two\n  - No test: none.'))).toEqual([
    'p.md:1: a rule needs a proof or a reason',
  ]);
});
