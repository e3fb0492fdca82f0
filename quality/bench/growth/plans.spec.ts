import { planText, runsIn } from './plans';

const entry = (ms: string, text: string, plan: object) => {
  const json = JSON.stringify({ 'Query Text': text, Plan: plan }, null, 2);
  return `2026-11-24 09:00:00.000 UTC [7] LOG:  duration: ${ms} ms  plan:\n${json.replace(/^/gm, '\t')}\n`;
};

it('reads what each statement in the log did', () => {
  const log = [
    'LOG:  received SIGHUP\n',
    entry('0.250', 'select 1', { 'Node Type': 'Result', 'Actual Loops': 1 }),
    entry('12.5', 'select *\nfrom t', {
      'Node Type': 'Limit',
      'Shared Hit Blocks': 3,
      'Shared Read Blocks': 4,
      Plans: [
        { 'Node Type': 'Index Scan', 'Index Name': 'deliveries_20261101_pkey', 'Relation Name': 'x' },
        { 'Node Type': 'Index Scan', 'Index Name': 'deliveries_20261102_pkey', 'Relation Name': 'x' },
        { 'Node Type': 'Seq Scan', 'Relation Name': 't' },
        { 'Node Type': 'Seq Scan', 'Relation Name': 'never', 'Actual Loops': 0 },
      ],
    }),
  ].join('');
  const runs = runsIn(log);
  expect(runs).toEqual([
    { text: 'select 1', ms: 0.25, buffers: 0, reads: [] },
    { text: 'select *\nfrom t', ms: 12.5, buffers: 7, reads: ['Index Scan deliveries_pkey', 'Seq Scan t'] },
  ]);
  expect(planText(runs[1]!)).toBe('index deliveries_pkey, **seq scan** t');
});
