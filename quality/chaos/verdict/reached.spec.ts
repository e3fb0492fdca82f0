import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compare } from './compare';
import { healthy } from '../test/healthy-records';
import type { Demand } from './evidence';
import { countOutOfMemory } from './reached';

describe('the rare paths of a run', () => {
  it('are demanded by the length of the run', () => {
    const notReached = (demand: Demand) => compare({ ...healthy(), demand }).findings.notReached;
    const [always, long] = ['A stale revision was refused', 'An event was published twice'];
    expect(notReached('none')).toEqual([]);
    expect(notReached('any')).toContain(always);
    expect(notReached('any')).not.toContain(long);
    expect(notReached('long')).toEqual(expect.arrayContaining([always, long]));
  });

  it('are reached by records', () => {
    const records = healthy();
    records.changes[2] = { ...records.changes[2]!, outcome: 'unknown', revision: null };
    const { reached } = compare({ ...records, demand: 'any' });
    expect(reached).toContainEqual({ path: 'A change had no answer', times: 1, isDemanded: true });
  });

  it('do not lead to a process that runs out of memory', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'logs-'));
    const text = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n';
    writeFileSync(path.join(dir, 'gateway.log'), `{"message":"request"}\n${text}`);
    const outOfMemory = await countOutOfMemory(dir);
    rmSync(dir, { recursive: true });
    expect(compare({ ...healthy(), outOfMemory }).findings.crashes).toEqual([
      '1 processes ran out of memory',
    ]);
  });
});
