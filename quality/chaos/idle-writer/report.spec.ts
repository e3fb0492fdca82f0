import { parseChaosArguments } from '../arguments';
import { faultsOf, writeIdleWriterReport } from './report';
import type { IdleWriterResult } from './run-idle-writer';

const at = (deliveredPerSecond: number) => ({
  acknowledgedPerSecond: 200,
  deliveredPerSecond,
  p50: 9,
  p99: 40,
});

const result = (more: Partial<IdleWriterResult> = {}): IdleWriterResult => ({
  startedAt: 0,
  normalSeconds: 120,
  idleSeconds: 600,
  normal: at(200),
  idle: at(199),
  parts: [at(200), at(200), at(199), at(198), at(198)],
  deadRows: { 'submissions.outbox': 120_000 },
  backlog: 3,
  backlogGoneMs: 400,
  own: 4,
  ownTooEarly: 0,
  failures: 0,
  acknowledged: 150_000,
  lost: 0,
  ...more,
});

describe('the idle-writer report', () => {
  it('is content with nine tenths of the normal', () => {
    expect(faultsOf(result())).toEqual([]);
    expect(faultsOf(result({ idle: at(180), parts: [at(180)] }))).toEqual([]);
  });

  it.each<[Partial<IdleWriterResult>, RegExp]>([
    [{ idle: at(170) }, /fell to 0.85 of normal/],
    [{ parts: [at(200), at(100)] }, /last fifth throughput was 0.50/],
    [{ backlogGoneMs: null }, /backlog/],
    [{ backlogGoneMs: 61_000 }, /backlog/],
    [{ ownTooEarly: 1 }, /before they were committed/],
    [{ lost: 2 }, /2 events were lost/],
    [{ normal: at(0) }, /nothing was delivered/],
  ])('is not content with %j', (more, fault) => {
    expect(faultsOf(result(more)).join()).toMatch(fault);
  });

  it('has the ratios, the command and the dead rows', () => {
    const wanted = parseChaosArguments(['--idle-writer']);
    const { text, summary } = writeIdleWriterReport(wanted, result());
    expect(summary).toContain('ratio 0.99, in the last fifth 0.99 (at least 0.9)');
    expect(text).toContain('npm run chaos -- --idle-writer --minutes 10 --rate 200');
    expect(text).toContain('| submissions.outbox | 120000 |');
  });
});
