import path from 'node:path';
import { coverageFaults, coverageRows, rowsOf, testTitles } from './spec-coverage';

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
  for (const { rule, proofs } of rows)
    expect({ rule, tests: proofs.length > 0 }).toEqual({ rule, tests: true });
});

test('a row is a rule and its proofs, or the reason for having no proof', () => {
  const page = [
    '- One `a`',
    '  - `a.spec.ts` › `x | y`',
    '  - `b.spec.ts` › `` has `ticks` ``',
    '- Two',
    '  - No test: the specification leaves it open.',
    '',
    '- Three',
    '  - somewhere',
    '- Four',
  ].join('\n');
  expect(rowsOf('p.md', page)).toEqual([
    {
      at: 'p.md:1',
      rule: 'One `a`',
      proofs: [
        { file: 'a.spec.ts', title: 'x | y' },
        { file: 'b.spec.ts', title: 'has `ticks`' },
      ],
      noTest: null,
      fault: null,
    },
    { at: 'p.md:4', rule: 'Two', proofs: [], noTest: 'the specification leaves it open.', fault: null },
    expect.objectContaining({ at: 'p.md:7', fault: 'cannot read the proof somewhere' }),
    expect.objectContaining({ at: 'p.md:9', fault: 'a rule needs a proof or a reason' }),
  ]);
});

test('titles of tests are read as they stand in the source; groups and skipped tests are none', () => {
  const source = `
    describe('group', () => {
      it('plain', () => {});
      test.each([[1]])('each %s', () => {});
      it.each<'a' | 'b'>(['a'])('typed %s', () => {});
      it.each\`x\n\${1}\`('table $x', () => {});
      for (const x of [1]) it(\`number \${x}\`, () => {});
      it.skip('skipped', () => {});
      other('no test');
    });`;
  expect([...testTitles(source)]).toEqual(['plain', 'each %s', 'typed %s', 'table $x', 'number ${x}']);
});

test('a missing file, a missing test and a file that is no spec are faults', () => {
  const file = 'build/docs/spec-coverage.spec.ts';
  const row = (proof: string) => rowsOf('p.md', `- ${proof}\n  - ${proof}`);
  const faults = (proof: string) => coverageFaults(root, row(proof));
  expect(
    faults(
      `\`${file}\` › \`titles of tests are read as they stand in the source; groups and skipped tests are none\``,
    ),
  ).toEqual([]);
  expect(faults(`\`${file}\` › \`gone\``)).toEqual([`p.md:1: ${file} has no test "gone"`]);
  expect(faults('`gone.spec.ts` › `x`')).toEqual(['p.md:1: there is no file gone.spec.ts']);
  expect(faults('`README.md` › `x`')).toEqual(['p.md:1: README.md is not a spec']);
});
