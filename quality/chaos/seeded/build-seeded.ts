import path from 'node:path';
import type { ServiceName } from '@canvass/stack';
import { bundleService } from '../bundle-service';
import type { Findings } from '../verdict/evidence';
import type * as bugs from './bugs';

interface Seed {
  /** Services that get the bug. */
  services: readonly ServiceName[];
  /** The module and its export that is replaced. */
  module: string;
  replaced: string;
  /** Export of `bugs.ts` that makes the replacement. */
  bug: keyof typeof bugs;
  /** The kind of finding that shows it. */
  found: keyof Findings;
}

export const seededBugs = [
  'ack-before-commit',
  'drop-returned',
  'cursor-by-id',
  'newest-first',
  'keep-expired-leases',
  'sign-other-bytes',
  'ignore-resync',
] as const;
export type SeededBug = (typeof seededBugs)[number];

const seeds: Record<SeededBug, Seed> = {
  'ack-before-commit': {
    services: ['webhook-relay-svc'],
    module: 'apps/webhook-relay-svc/src/pipeline/consume-event.ts',
    replaced: 'eventConsumer',
    bug: 'ackBeforeCommit',
    found: 'lost',
  },
  'drop-returned': {
    services: ['submissions-svc', 'datalists-svc'],
    module: 'libs/outbox/src/batch.ts',
    replaced: 'publishBatch',
    bug: 'dropReturned',
    found: 'lost',
  },
  'cursor-by-id': {
    services: ['submissions-svc', 'datalists-svc'],
    module: 'libs/outbox/src/lane.sql.ts',
    replaced: 'claimRows',
    bug: 'cursorById',
    found: 'lost',
  },
  'newest-first': {
    services: ['submissions-svc', 'datalists-svc'],
    module: 'libs/outbox/src/batch.ts',
    replaced: 'publishBatch',
    bug: 'newestFirst',
    found: 'order',
  },
  'keep-expired-leases': {
    services: ['webhook-relay-svc'],
    module: 'apps/webhook-relay-svc/src/pipeline/leases.ts',
    replaced: 'createLeases',
    bug: 'keepExpiredLeases',
    found: 'lost',
  },
  'sign-other-bytes': {
    services: ['webhook-relay-svc'],
    module: 'apps/webhook-relay-svc/src/pipeline/request-headers.ts',
    replaced: 'requestHeaders',
    bug: 'signOtherBytes',
    found: 'signatures',
  },
  'ignore-resync': {
    services: ['datalists-svc'],
    module: 'apps/datalists-svc/src/access/on-form-event.ts',
    replaced: 'formEventHandler',
    bug: 'ignoreResync',
    found: 'staleCopies',
  },
};

/** True if the findings show the bug. */
export const isBugFound = (bug: SeededBug, findings: Findings): boolean =>
  findings[seeds[bug].found].length > 0;

/** Builds the services that get the bug again, with it. Product code does not contain it. */
export async function buildSeeded(bug: SeededBug, programs: Record<ServiceName, string>): Promise<void> {
  const seed = seeds[bug];
  for (const service of seed.services) {
    let isSeeded = false;
    await bundleService(service, programs[service], (file, source) => {
      if (file !== seed.module) return null;
      isSeeded = true;
      return withBug(source, seed);
    });
    if (!isSeeded) throw new Error(`${seed.module} is no longer part of ${service}`);
  }
}

/** Returns the module with its export replaced. */
function withBug(source: string, { module, replaced, bug }: Seed): string {
  const exported = new RegExp(`export (?=((async )?function|const) ${replaced}\\b)`);
  if (!exported.test(source)) throw new Error(`${module} no longer exports ${replaced}`);
  return [
    `import { ${bug} } from ${JSON.stringify(path.join(__dirname, 'bugs.ts'))};`,
    source.replace(exported, ''),
    `const withBug = ${bug}(${replaced} as never);`,
    `export { withBug as ${replaced} };`,
  ].join('\n');
}
