/**
 * Two tenants on one stack. One attacks everything that tenants share at once; the other sends a few requests as
 * before. Passes if the 99th percentile of the other is at most `maxRatio` times that without the attack, for each
 * kind of its requests, and no request fails. `neighbours SECONDS`: length of a window.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '@canvass/postgres';
import type { Stack } from '@canvass/stack';
import { apiOf, dataOf, login, markdownTable, percentile, type Api } from '@canvass/testing';
import { startChild } from '../../child';
import { hooksTo, proveOnStack } from '../private-stack';
import type { AttackApi } from './attack';
import type { Victim } from './attacks';
import { kinds, QuietTenant, type Kind, type Window } from './quiet-tenant';

const seconds = Number(process.argv[2] ?? 15);
const maxRatio = 2;
/** Before a window, so that the attack has reached its limits. */
const settleMs = 3_000;

const submissions = 200_000;
const [slowForms, endpointsOfForm] = [500, 20];
const sideBySide = 8;
const maxPrinted = 20;
/**
 * A window has about 250 requests of each kind, so one pause of the machine changes its p99. While it exceeds the
 * limit, there are further windows, and the p99 is that of all of them.
 */
const maxWindows = 5;

/** As in production: `npm start` sets higher limits for load tools. */
const rateLimits = {
  Service__Gateway__RateLimits__PerAddress: '60000',
  Service__Gateway__RateLimits__PerAccount: '30000',
  Service__Gateway__RateLimits__AnonymousCreates: '300',
  Service__Gateway__RateLimits__AnonymousSaves: '1800',
};

/** A form with many submissions, forms with slow endpoints, and lists for imports. */
async function prepareVictim({ file }: Stack, slowUrl: string): Promise<Victim> {
  const { gatewayUrl, databaseUrl, demo } = file;
  const token = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
  const api = apiOf(gatewayUrl, token);
  const formId = await formOf(api, null);
  const db = createDatabase({ Url: databaseUrl, PoolMax: 1, StatementTimeoutMs: 300_000 });
  await db.query(
    `insert into submissions.submissions (tenant_id, id, form_id, is_complete, is_test_submission, current_page,
       json_data, metadata, collection_status)
     select $1, n, $2, false, false, 0, '{"text":"' || repeat(md5(n::text), 12) || '"}', '{}', 'in_progress'
     from generate_series(1, $3::integer) n`,
    [demo.tenantId, formId, submissions],
  );
  await db.query('analyze submissions.submissions');
  await db.close();
  const dataLists: string[] = [];
  for (let n = 0; n < 4; n += 1)
    dataLists.push(
      (await dataOf(api.POST('/api/data-lists', { body: { name: `L${n}`, defaultLocale: 'en' } }))).id,
    );
  const ids: string[] = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < slowForms; n = next++) {
      const urls = Array.from({ length: endpointsOfForm }, (_, e) => `${slowUrl}/${n}-${e}`);
      ids.push(await formOf(api, hooksTo(...urls)));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
  return { gatewayUrl, token, formId, slowForms: ids, dataLists };
}

async function formOf(api: Api, webHookSettingsJson: string | null): Promise<string> {
  const settings = webHookSettingsJson === null ? {} : { webHookSettingsJson };
  const body = { name: 'Attack', isEnabled: true, isPublic: true, ...settings };
  return (await dataOf(api.POST('/api/forms', { body }))).id;
}

async function prove(stack: Stack): Promise<boolean> {
  const { gatewayUrl, demo } = stack.file;
  const quiet = await QuietTenant.create(
    gatewayUrl,
    demo.otherTenant.adminEmail,
    demo.otherTenant.adminPassword,
  );
  const attacker = await startChild<AttackApi>('proofs/neighbours/attack');
  const victim = await prepareVictim(stack, await attacker.call('listen'));
  await quiet.measure(seconds); // code is loaded and compiled
  const [alone, during]: [Window[], Window[]] = [[], []];
  do {
    alone.push(await quiet.measure(seconds));
    await attacker.call('start', victim);
    await sleep(settleMs);
    during.push(await quiet.measure(seconds));
    await attacker.call('stop');
    await sleep(settleMs);
  } while (!kinds.every((kind) => ratioOf(alone, during, kind) <= maxRatio) && during.length < maxWindows);
  await attacker.stop();
  await quiet.close();
  return report(alone, during);
}

const p99 = (windows: readonly Window[], kind: Kind): number =>
  percentile(
    windows.flatMap(({ times }) => times[kind]),
    0.99,
  );

const ratioOf = (alone: readonly Window[], during: readonly Window[], kind: Kind): number =>
  p99(during, kind) / p99(alone, kind);

/** Prints both, and returns whether all are within the limit and no request failed. */
function report(alone: readonly Window[], during: readonly Window[]): boolean {
  const rows = kinds.map((kind) => [
    kind,
    `${p99(alone, kind).toFixed(0)} ms`,
    `${p99(during, kind).toFixed(0)} ms`,
    ratioOf(alone, during, kind).toFixed(2),
    during.flatMap(({ times }) => times[kind]).length,
  ]);
  console.log(markdownTable([['p99 of the quiet tenant', 'alone', 'attacked', 'ratio', 'samples'], ...rows]));
  const failures = [...alone, ...during].flatMap((window) => window.failures);
  for (const failure of failures.slice(0, maxPrinted)) console.log(`  FAILED ${failure}`);
  console.log(`${failures.length} failed requests (wanted 0); wanted ratio: ${maxRatio}.`);
  return failures.length === 0 && kinds.every((kind) => ratioOf(alone, during, kind) <= maxRatio);
}

/** The attack needs more endpoints than a tenant gets by default. */
const quotas = { Service__Quotas__WebhookEndpoints: '0' };

proveOnStack('neighbours', { env: { gateway: rateLimits, 'submissions-svc': quotas } }, prove);
