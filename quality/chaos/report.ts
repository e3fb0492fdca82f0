import os from 'node:os';
import { markdownTable } from '@canvass/testing';
import type { ChaosArguments } from './arguments';
import type { ChaosResult } from './run-chaos';
import { findingKinds, type Findings } from './verdict/evidence';

/** At most this many findings of a kind are listed. */
const maxListed = 40;

/** Returns the report in Markdown. */
export function writeReport(wanted: ChaosArguments, result: ChaosResult): string {
  const { verdict, faults, startedAt } = result;
  const { seed, seconds } = wanted;
  const timeline = faults.map(({ startedAt: at, description, backAt, error }) => [
    ((at - startedAt) / 1000).toFixed(1),
    description,
    backAt === null ? '' : `${backAt - at} ms`,
    error ?? '',
  ]);
  const again = `npm run chaos -- --seed ${seed} --minutes ${seconds / 60}`;
  return [
    '# Chaos report',
    `${new Date(startedAt).toISOString()}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'cpu'}, Node ${process.versions.node}.\n` +
      `Again: \`${again}\``,
    '## Verdict',
    ['```', ...summaryOf(result), '```'].join('\n'),
    ...findingLines(verdict.findings),
    '## Counts',
    markdownTable([['What', 'Number'], ...Object.entries(verdict.counts)]),
    '## Paths',
    'How often the run was on rare paths, and whether it had to be.',
    markdownTable([
      ['Path', 'Times', 'Demanded'],
      ...verdict.reached.map(({ path, times, isDemanded }) => [path, times, isDemanded ? 'yes' : '']),
    ]),
    '## Timeline',
    markdownTable([['Second', 'Fault', 'Back after', 'Note'], ...timeline]),
  ].join('\n\n');
}

/** Returns the result in a few lines; the first one must be all zero. */
export function summaryOf({ verdict, faults, startedAt, endedAt }: ChaosResult): string[] {
  const { findings, counts, reached, waitedMs } = verdict;
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  const times = kinds.map((kind) => `${kind} ${faults.filter((fault) => fault.kind === kind).length}`);
  const failed = faults.filter(({ error }) => error !== null).length;
  const acknowledged = counts['Changes acknowledged'];
  const rate = (acknowledged / ((endedAt - startedAt - waitedMs) / 1000)).toFixed(0);
  return [
    Object.entries(findingKinds)
      .map(([kind, name]) => `${name} ${findings[kind as keyof Findings].length}`)
      .join(', '),
    `${acknowledged} changes acknowledged (${rate}/s), ${counts['Changes refused (4xx): none had an effect']} refused, ` +
      `${counts['Changes without an answer']} unknown; ${counts['Events received by the checker']} events, ` +
      `${counts['Deliveries expected']} deliveries expected, ${counts['Deliveries accepted by receivers']} accepted`,
    `${counts['… of which delivered again']} webhooks delivered again`,
    `${faults.length} faults, ${failed} could not be carried out: ${times.join(', ')}`,
    `${reached.filter((each) => each.times > 0).length} of ${reached.length} rare paths reached`,
    `drained after ${seconds(waitedMs)}; ${seconds(endedAt - startedAt)} in all`,
  ];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Returns the findings as Markdown, one section per kind. */
export function findingLines(findings: Findings): string[] {
  const found = Object.entries(findings).filter(([, list]) => list.length > 0);
  return found.flatMap(([kind, list]) => [
    `### ${findingKinds[kind as keyof Findings]}: ${list.length}`,
    ...list.slice(0, maxListed).map((finding) => `- ${finding}`),
    ...(list.length > maxListed ? [`- … and ${list.length - maxListed} more`] : []),
  ]);
}
