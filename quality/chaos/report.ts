import os from 'node:os';
import type { ChaosArguments } from './arguments';
import { table } from './markdown';
import type { ChaosResult } from './run-chaos';
import type { Findings, Recovery, Verdict } from './verdict/verdict';

/** At most this many findings of a kind are told. */
const mostTold = 40;

/** A report in Markdown, and what of it is told on the way: its essence in a few lines, and what was found. */
export interface Report {
  text: string;
  summary: string;
  findings?: readonly string[];
}

export function writeReport(wanted: ChaosArguments, result: ChaosResult): Report {
  const { verdict, faults, startedAt } = result;
  const summary = summaryOf(result);
  const seconds = (at: number) => ((at - startedAt) / 1000).toFixed(1);
  const text = [
    '# Chaos report',
    '',
    `Seed \`${wanted.seed}\`, ${wanted.seconds} s of changes and faults, job queues ${wanted.jobQueue}, at most ${wanted.targetRate} changes/s by ${wanted.workers} clients.`,
    `${new Date(startedAt).toISOString()}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'cpu'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}.`,
    `Again: \`npm run chaos -- --seed ${wanted.seed} --job-queue ${wanted.jobQueue} --minutes ${wanted.seconds / 60} --target-rate ${wanted.targetRate} --workers ${wanted.workers}${wanted.seeded ? ` --seeded ${wanted.seeded}` : ''}\``,
    ...(wanted.seeded
      ? ['', `**This run had the bug \`${wanted.seeded}\` built in: it must be found.**`]
      : []),
    '',
    '## Verdict',
    '',
    '```',
    summary,
    '```',
    '',
    ...findingLines(verdict.findings),
    '## Counts',
    '',
    ...table(['What', 'Number'], countRows(verdict)),
    '',
    '## Changes by operation',
    '',
    ...table(['Operation', 'Number'], Object.entries(verdict.counts.byOperation).sort()),
    '',
    '## Duplicates',
    '',
    'Same id and same bytes, as at-least-once allows; by the faults that were near the first delivery.',
    '',
    ...table(['Cause', 'Webhooks delivered again'], sortedByNumber(verdict.duplicates.byCause)),
    '',
    '## Faults',
    '',
    ...table(
      ['Kind', 'Times', 'Median down', 'Slowest recovery', 'Slowest undisturbed'],
      recoveryRows(faults, verdict.recoveries),
    ),
    '',
    'Recovery: from a component being back to the first delivery of a change made since its fault began; while another one is still down, from its being back. Undisturbed: no other fault meanwhile.',
    '',
    '## Timeline',
    '',
    ...table(
      ['Second', 'Fault', 'Back after', 'Note'],
      [...faults].map(({ startedAt: at, description, backAt, error }) => [
        seconds(at),
        description,
        backAt === null ? '' : `${backAt - at} ms`,
        error ?? '',
      ]),
    ),
    '',
  ].join('\n');
  return { text, summary, findings: findingLines(verdict.findings) };
}

function summaryOf({ verdict, faults, startedAt, endedAt }: ChaosResult): string {
  const { findings, counts, duplicates, recoveries, quietAfterMs } = verdict;
  const times = (kind: string) => faults.filter((fault) => fault.kind === kind).length;
  const failed = faults.filter(({ error }) => error !== null).length;
  const rate = counts.acknowledged / Math.max(1, (counts.lastAt - counts.firstAt) / 1000);
  const slowest = slowestOf(recoveries.filter(({ disturbed }) => !disturbed));
  const slowestOfAll = slowestOf(recoveries);
  return [
    `lost ${findings.lost.length}, phantom ${findings.phantom.length}, gaps ${findings.gaps.length}, ` +
      `changed bytes ${findings.changedBytes.length}, stale copies ${findings.copies.length}, late ${findings.late.length}, unrest ${findings.unrest.length}`,
    `${counts.acknowledged} changes acknowledged (${rate.toFixed(0)}/s), ${counts.refused} refused, ${counts.unknown} unknown; ` +
      `${counts.events} events, ${counts.expectedDeliveries} deliveries expected, ${counts.acceptedDeliveries} accepted`,
    `duplicates: ${duplicates.hooks} webhooks, ${duplicates.events} events`,
    `${faults.length} faults: ${times('kill')} process kills, ${times('pause')} pauses, ${times('rabbitmq-restart')} RabbitMQ and ${times('postgres-restart')} Postgres restarts` +
      (failed > 0 ? `; ${failed} could not be carried out (see the timeline)` : ''),
    `longest recovery ${tell(slowestOfAll)}; of faults with no other near ${tell(slowest)}`,
    tellInterruptions(verdict),
    `${counts.repeatedCreates} creates repeated with their key, ${counts.replayedCreates} of them had been carried out; ${counts.resends} webhooks resent on request`,
    `quiet after ${(quietAfterMs / 1000).toFixed(0)} s; ${((endedAt - startedAt) / 1000).toFixed(0)} s in all`,
  ].join('\n');
}

function tellInterruptions({ interruptions: { kills, deliveries, longestMs } }: Verdict): string {
  return longestMs === null
    ? 'no killed sender had deliveries in flight'
    : `${deliveries} deliveries in flight at ${kills} kills of their sender, all sent again within ${(longestMs / 1000).toFixed(1)} s`;
}

const tell = (recovery: Recovery | null): string =>
  recovery === null
    ? 'unknown'
    : `${((recovery.recoveryMs ?? 0) / 1000).toFixed(1)} s (${recovery.description})`;

function slowestOf(recoveries: readonly Recovery[]): Recovery | null {
  return recoveries.reduce<Recovery | null>(
    (slowest, next) => ((slowest?.recoveryMs ?? -1) > (next.recoveryMs ?? -1) ? slowest : next),
    null,
  );
}

function findingLines(findings: Findings): string[] {
  return Object.entries(findings).flatMap(([kind, list]: [string, string[]]) =>
    list.length === 0
      ? []
      : [
          `### ${kind}: ${list.length}`,
          '',
          ...list.slice(0, mostTold).map((finding) => `- ${finding}`),
          ...(list.length > mostTold ? [`- … and ${list.length - mostTold} more`] : []),
          '',
        ],
  );
}

function countRows({ counts, duplicates }: Verdict): [string, number][] {
  return [
    ['Changes acknowledged', counts.acknowledged],
    ['Changes refused (4xx): none had an effect', counts.refused],
    ['Changes without an answer', counts.unknown],
    ['… of which found stored in the end (submissions, forms)', counts.unknownStored],
    ['Entities stored', counts.storedEntities],
    ['Events received by the checker', counts.events],
    ['… of which published again, because a confirm was lost', duplicates.events - duplicates.redelivered],
    ["… of which redelivered, because the checker's connection was lost", duplicates.redelivered],
    ['Deliveries that had to come', counts.expectedDeliveries],
    ['Deliveries accepted by receivers', counts.acceptedDeliveries],
    ['… of which delivered again', duplicates.hooks],
    ['Deliveries that receivers refused or let hang', counts.refusedDeliveries],
    ['Webhooks sent again because staff asked for it', counts.resends],
    ['Creates repeated with their Idempotency-Key, for want of an answer', counts.repeatedCreates],
    ['… of which the first had been carried out, and its answer was replayed', counts.replayedCreates],
    ['Deliveries ended because settings no longer named the endpoint', counts.cancelledDeliveries],
  ];
}

function recoveryRows(faults: ChaosResult['faults'], recoveries: readonly Recovery[]): string[][] {
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  return kinds.map((kind) => {
    const ours = recoveries.filter((recovery) => recovery.kind === kind);
    const down = ours.map(({ downMs }) => downMs).sort((a, b) => a - b);
    const slowest = (list: Recovery[]) => {
      const found = slowestOf(list);
      return found === null ? '' : `${found.recoveryMs ?? '?'} ms`;
    };
    return [
      kind,
      String(faults.filter((fault) => fault.kind === kind).length),
      down.length === 0 ? '' : `${down[Math.floor(down.length / 2)]} ms`,
      slowest(ours),
      slowest(ours.filter(({ disturbed }) => !disturbed)),
    ];
  });
}

const sortedByNumber = (counts: Record<string, number>): [string, number][] =>
  Object.entries(counts).sort(([, a], [, b]) => b - a);
