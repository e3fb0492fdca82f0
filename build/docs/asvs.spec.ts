import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asvsFaults, requirementsOf } from './asvs';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'docs/security.md'), 'utf8');

test('every test that docs/security.md names exists, and every result has a file or a reason', () => {
  expect(asvsFaults(root, page)).toEqual([]);
});

test('docs/security.md lists the 70 requirements of level 1 and the 183 of level 2, and counts the results', () => {
  const requirements = requirementsOf(page);
  const ofLevel = (wanted: number) => requirements.filter(({ level }) => level === wanted).length;
  const results = (wanted: string) => requirements.filter(({ result }) => result === wanted).length;
  expect([ofLevel(1), ofLevel(2)]).toEqual([70, 183]);
  expect(page).toContain(
    `${results('met')} are met, ${results('not met')} are not met, ${results('does not apply')} do not apply.`,
  );
});

const good = '| 1.1.1 | 2 | Words | met: `build/docs/asvs.spec.ts` |';

test.each([
  ['a good row', good, []],
  ['a missing test', '| 1.1.1 | 1 | Words | met: `gone.md` |', ['1.1.1: there is no file gone.md']],
  ['a missing test in the text', 'See `a/gone.spec.ts`.', ['there is no test a/gone.spec.ts']],
  ['met without a file', '| 1.1.1 | 1 | Words | met: Surely so. |', ['1.1.1 needs a file']],
  ['met with nothing', '| 1.1.1 | 1 | Words | met |', ['1.1.1 needs a file']],
  ['not met without a reason', '| 1.1.1 | 1 | Words | not met |', ['1.1.1 needs a reason']],
  ['an empty reason', '| 1.1.1 | 1 | Words | not met: |', ['1.1.1 needs a reason']],
  ['a file as a reason', '| 1.1.1 | 1 | Words | does not apply: `a.ts` |', ['1.1.1 needs a reason']],
  ['an unknown result', '| 1.1.1 | 1 | Words | perhaps: It may be. |', ['line 2 is not a requirement']],
  ['an unknown level', '| 1.1.1 | 3 | Words | not met: It is not. |', ['line 2 is not a requirement']],
  ['another chapter', '| 2.1.1 | 1 | Words | not met: It is not. |', ['line 2 is in chapter V1']],
  ['no words', '| 1.1.1 | 1 |  | not met: It is not. |', ['1.1.1 must have 1 to 10 words']],
  ['a row twice', `${good}\n${good}`, ['1.1.1 is not after 1.1.1']],
  [
    'rows in the order of texts',
    `${good.replace('1.1.1', '1.10.1')}\n${good.replace('1.1.1', '1.9.2')}`,
    ['1.9.2 is not after 1.10.1'],
  ],
])('%s', (_name, rows, faults) => {
  expect(asvsFaults(root, `### V1 Chapter\n${rows}`)).toEqual(faults);
});
