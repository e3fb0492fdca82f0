import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { backfillCommand } from '../src/command';

interface ReportLine {
  kind: 'unlinked' | 'legacy_key' | 'verification' | 'dry_run';
  submissionId?: string;
  reason?: string;
  heldBy?: string | null;
  unlinked?: number;
  legacyKeys?: number;
  changes?: Record<string, number>;
}

export interface CommandResult {
  status: number;
  lines: ReportLine[];
  /** The last line, with the counts. */
  summary: ReportLine;
  screen: string;
  /** Reason by submission. */
  reasons: Record<string, string>;
}

/** The command in this process, with one external provider, Keycloak. */
export async function backfill(url: string, argv: string[] = [], stop?: AbortSignal): Promise<CommandResult> {
  const output = new PassThrough();
  const written = text(output);
  let screen = '';
  const status = await backfillCommand(argv, {
    databaseUrl: url,
    externalProviders: ['Keycloak'],
    output,
    screen: { write: (part: string) => (screen += part) },
    signal: stop ?? new AbortController().signal,
  });
  output.end();
  const lines = (await written)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as ReportLine);
  const reasons = lines.flatMap(({ submissionId, reason }) =>
    submissionId === undefined ? [] : [[submissionId, reason ?? '']],
  );
  return {
    status,
    lines,
    summary: lines.at(-1) ?? { kind: 'verification' },
    screen,
    reasons: Object.fromEntries(reasons) as Record<string, string>,
  };
}

/** The two counts of the specification, to the letter. */
export const verificationSql = `select
  count(*) filter (where submitter_id is null and submitted_by is not null)::int as unlinked,
  count(*) filter (where not is_test_submission and submitter_id is not null
    and restriction_key is not null and restriction_key not like '%:Submitter:%')::int as "legacyKeys"
  from submissions`;
