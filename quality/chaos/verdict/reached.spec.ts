import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compare } from './compare';
import { healthy } from '../test/healthy-records';
import type { Demand } from './evidence';
import { countLogLines, outOfMemory } from './reached';

const secondAttempt = 'A delivery had a second attempt (step 1 of the schedule)';
const lost = 'The connection was lost before the confirm';

/** What a run that demands so much did not reach, after these log lines. */
function notReached(demand: Demand, logLines: Record<string, number> = {}): string[] {
  return compare({ ...healthy(), demand, logLines }).findings.notReached;
}

describe('the rare paths of a run', () => {
  it('are demanded by the length of the run', () => {
    expect(notReached('none')).toEqual([]);
    expect(notReached('any')).toContain(secondAttempt);
    expect(notReached('any')).not.toContain(lost);
    expect(notReached('long')).toEqual(expect.arrayContaining([secondAttempt, lost]));
  });

  it('are reached by log lines and records', () => {
    const missing = notReached('long', { [secondAttempt]: 3 });
    expect(missing).not.toContain(secondAttempt);
    const records = healthy();
    records.changes[2] = { ...records.changes[2]!, outcome: 'unknown', revision: null };
    const { reached } = compare({ ...records, demand: 'any' });
    expect(reached).toContainEqual({ path: 'A change had no answer', times: 1, isDemanded: true });
  });

  it('do not lead to a process that runs out of memory', () => {
    const { crashes } = compare({ ...healthy(), logLines: { [outOfMemory]: 2 } }).findings;
    expect(crashes).toEqual(['2 processes ran out of memory']);
  });

  it('are counted in the logs of the services', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'log-lines-'));
    const lines = [
      { level: 'info', number: 2, outcome: 'success', message: 'attempt' },
      { level: 'info', number: 12, outcome: 'success', message: 'attempt' },
      {
        level: 'warn',
        ok: false,
        reason: 'disconnected',
        message: 'events not confirmed; they stay in the outbox',
      },
      { level: 'info', path: '"message":"attempt"', number: 2, message: 'request' },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    for (const name of ['webhook-relay-svc.log', 'webhook-relay-svc-2.log', 'postgres.log'])
      writeFileSync(path.join(dir, name), text);
    const counts = await countLogLines(dir);
    rmSync(dir, { recursive: true });
    expect(counts).toMatchObject({ [secondAttempt]: 2, [lost]: 2 });
    expect(Object.values(counts).filter((count) => count > 0)).toHaveLength(2);
  });
});
