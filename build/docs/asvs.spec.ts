import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asvsFaults, requirementsOf } from './asvs';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'quality/records/asvs.md'), 'utf8');

test('every result in the record of ASVS has a file that exists, or a reason', () => {
  expect(asvsFaults(root, page)).toEqual([]);
});

test('the record lists the 70 requirements of level 1 and the 183 of level 2; the counts of results are right', () => {
  const requirements = requirementsOf(page).rows.flat();
  const ofLevel = (wanted: number) => requirements.filter(({ level }) => level === wanted).length;
  const results = (wanted: string) => requirements.filter(({ result }) => result === wanted).length;
  expect([ofLevel(1), ofLevel(2)]).toEqual([70, 183]);
  const counts = `${results('met')} are met, ${results('not met')} are not met, ${results('does not apply')} do not apply.`;
  for (const text of [page, readFileSync(path.join(root, 'docs/security.md'), 'utf8')])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(counts);
});

const good = '- 1.1.1 `build/docs/asvs.spec.ts`';

test.each([
  ['a good row', good, []],
  ['two requirements', '- **1.1.1**, 1.1.2 `build/docs/asvs.spec.ts`', []],
  ['a missing file', '- **1.1.1** `gone.md`', ['1.1.1: there is no gone.md']],
  ['no result', '- 1.1.1 Surely so.', ['line 2 is not a requirement']],
  ['not met without a reason', '- 1.1.1 not met: Words.', ['line 2 is not a requirement']],
  ['a reason', '- 1.1.1 does not apply: Words. There are none.', []],
  ['no reason', '- 1.1.1 does not apply.', ['line 2 is not a requirement']],
  ['a file as a reason', '- 1.1.1 does not apply: Words. `a.ts`', ['line 2 is not a requirement']],
  ['an unknown level', '- *1.1.1* not met: Words. It is not.', ['line 2 is not a requirement']],
  ['another chapter', '- 2.1.1 not met: Words. It is not.', ['2.1.1 is in chapter V1']],
  ['a row twice', `${good}\n${good}`, ['1.1.1 is not after 1.1.1', '1.1.1 is there twice']],
  [
    'a requirement in two rows',
    `${good.replace('1.1.1', '1.1.1, 1.1.3')}\n${good.replace('1.1.1', '1.1.2, 1.1.3')}`,
    ['1.1.3 is there twice'],
  ],
  ['a row out of order', good.replace('1.1.1', '1.1.2, 1.1.1'), ['1.1.1 is not after 1.1.2']],
  [
    'rows in the order of texts',
    `${good.replace('1.1.1', '1.10.1')}\n${good.replace('1.1.1', '1.9.2')}`,
    ['1.9.2 is not after 1.10.1'],
  ],
])('%s', (_name, rows, faults) => {
  expect(asvsFaults(root, `## V1 Chapter\n${rows}`)).toEqual(faults);
});
