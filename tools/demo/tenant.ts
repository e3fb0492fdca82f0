/** Fills the demonstration tenant: data lists, colleagues, forms, 2,000 submissions of 30 days, and endpoints. */
import type { DataListView, FormView } from '@canvass/contracts';
import { clientCredentials, clientOf, eventually, login, type Client } from '@canvass/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runOps } from '../start/run-ops';
import type { StackFile } from '../start/stack-file';
import { archiveOf, formIdsOf, untilOf } from './archive';
import { countryList } from './countries';
import { settingsOf } from './endpoints';
import { makeSubmissions, type DemoSubmission } from './submissions';
import { dataFile } from './data-file';
import { demoForms } from './tenant-forms';

const submissionCount = 2_000;
/** The number that are created through the API now, so that their webhooks are sent. */
const liveCount = 24;
const cities = dataFile('cities.csv');
const colleagues = [
  { email: 'grace@demo.example', name: 'Grace Hopper', roles: ['Editor'] },
  { email: 'mary@demo.example', name: 'Mary Jackson', roles: ['Viewer'] },
  { email: 'alan@demo.example', name: 'Alan Turing', roles: ['Editor', 'Viewer'] },
];

interface TenantOptions {
  /** Folder of the stack. */
  dir: string;
  /** The address where the receivers of webhooks listen. */
  endpointsUrl: string;
  say: (line: string) => void;
}

/**
 * Fills the tenant. What is there stays as it is, so it can be repeated, also after an interruption: forms and
 * data lists are found by their names, submissions by their ids.
 */
export async function fillTenant(stack: StackFile, { dir, endpointsUrl, say }: TenantOptions): Promise<void> {
  const { gatewayUrl, demo } = stack;
  const admin = clientOf(gatewayUrl, await login(gatewayUrl, demo.adminEmail, demo.adminPassword));
  const listIds = {
    Countries: (await countriesOf(admin, () => undefined)).id,
    Cities: await citiesOf(admin),
  };
  for (const colleague of colleagues) await admin.call('POST', '/api/users', colleague);

  const first = await formNamed(admin, demoForms[0]!.name);
  const until = first === null ? new Date() : untilOf(demoForms[0]!, first.createdAt);
  const values = {
    Countries: countryList().items.map(({ value }) => value),
    Cities: cities
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]!),
  };
  const { people, submissions } = makeSubmissions({ count: submissionCount, until, values });
  const complete = submissions.filter(({ completedAt }) => completedAt !== null);
  const live = new Set(complete.slice(-liveCount));
  const formIds = formIdsOf(demoForms, until);
  const count = () => countSubmissions(admin, Object.values(formIds));
  if (first === null || (await count()) < submissionCount - liveCount) {
    const past = submissions.filter((submission) => !live.has(submission));
    const common = { tenantId: demo.tenantId, until, listIds, forms: demoForms };
    await importArchive(dir, demo.tenantId, archiveOf({ ...common, people, submissions: past }));
  }
  await saveSettings(admin, formIds, endpointsUrl);
  const integration = clientOf(gatewayUrl, await clientCredentials(gatewayUrl, demo.serviceAccount));
  // An interrupted run has created the first of them.
  const missing = Math.min(liveCount, submissionCount - (await count()));
  for (const submission of missing > 0 ? [...live].slice(-missing) : []) {
    const client = submission.person === null ? clientOf(gatewayUrl) : integration;
    await submit(client, formIds[submission.form.name]!, submission);
  }
  say(`  The tenant has ${demoForms.length} forms and ${await count()} submissions of 30 days.`);
  say(`  Respondents answer "${demoForms[0]!.name}" at ${gatewayUrl}/f/${formIds[demoForms[0]!.name]}`);
  say(`  Its endpoints answer at ${endpointsUrl} as long as this command runs.\n`);
}

/** The list of countries with names in all languages, which is made at the first call. */
export async function countriesOf(
  admin: Client,
  imported: (facts: { rows: number; durationMs: number; languages: number }) => void,
): Promise<{ id: string }> {
  const { locales, defaultLocale, items } = countryList();
  const known = await listNamed(admin, 'Countries');
  if (known !== null) return known;
  const list = await admin.post<DataListView>('/api/data-lists', {
    name: 'Countries',
    description: 'ISO 3166, names by i18n-iso-countries',
    defaultLocale,
  });
  const answer = await admin.put<{ import: { rows: number; durationMs: number } }>(
    `/api/data-lists/${list.id}/import`,
    { format: 'json', items, ensureLocales: locales },
  );
  imported({ ...answer.import, languages: locales.length + 1 });
  return list;
}

async function citiesOf(admin: Client): Promise<string> {
  const known = await listNamed(admin, 'Cities');
  if (known !== null) return known.id;
  const list = await admin.post<DataListView>('/api/data-lists', {
    name: 'Cities',
    description: 'Cities with a name of their own in other languages',
    defaultLocale: 'en',
  });
  const ensureLocales = cities.split('\n')[0]!.split(',').slice(2);
  await admin.put(`/api/data-lists/${list.id}/import`, { format: 'csv', csv: cities, ensureLocales });
  return list.id;
}

const listNamed = (admin: Client, name: string) =>
  named<DataListView>(admin, '/api/data-lists?pageSize=100', name);
const formNamed = (admin: Client, name: string) => named<FormView>(admin, '/api/forms?limit=100', name);

async function named<T extends { name: string }>(admin: Client, at: string, name: string): Promise<T | null> {
  const { items } = await admin.get<{ items: T[] }>(`${at}&search=${encodeURIComponent(name)}`);
  return items.find((item) => item.name === name) ?? null;
}

async function countSubmissions(admin: Client, formIds: readonly string[]): Promise<number> {
  const counts = formIds.map(async (id) => {
    const query = `/api/forms/${id}/submissions?limit=1&total=exact`;
    return (await admin.get<{ total: number }>(query)).total;
  });
  return (await Promise.all(counts)).reduce((sum, total) => sum + total, 0);
}

/** Imports an archive, whose rows have times of the past. Rows that are there stay as they are. */
async function importArchive(dir: string, tenantId: string, archive: string): Promise<void> {
  mkdirSync(path.join(dir, 'run'), { recursive: true });
  const folder = mkdtempSync(path.join(dir, 'run', 'demo-'));
  try {
    writeFileSync(path.join(folder, 'submissions-svc.ndjson'), archive, { mode: 0o600 });
    const into = ['--service', 'submissions-svc', '--folder', folder, '--tenant', tenantId];
    await runOps(dir, 'tenants', 'import', ...into);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Saves the webhook settings of the forms, which also lets the other services know the forms, and disables the
 * endpoint of the staff portal.
 */
async function saveSettings(
  admin: Client,
  formIds: Readonly<Record<string, string>>,
  endpointsUrl: string,
): Promise<void> {
  for (const form of demoForms) {
    const at = `/api/forms/${formIds[form.name]}`;
    const { webHookSettingsJson } = await admin.get<{ webHookSettingsJson: string | null }>(at);
    if (webHookSettingsJson?.includes(`${endpointsUrl}/`)) continue;
    await admin.patch(at, { webHookSettingsJson: settingsOf(form, endpointsUrl) });
    const endpoints = await eventually(
      async () => {
        const { items } = await admin.get<Endpoints>(`/api/webhooks/endpoints?formId=${formIds[form.name]}`);
        const known = items.filter(({ url }) => url.startsWith(`${endpointsUrl}/`));
        return known.length === form.webhooks.length ? known : Promise.reject(new Error(`${known.length}`));
      },
      { timeoutMs: 20_000, message: `the relay knows the endpoints of "${form.name}"` },
    );
    for (const { id, url } of endpoints)
      if (url.endsWith('/staff-portal')) await admin.post(`/api/webhooks/endpoints/${id}/disable`);
  }
}

interface Endpoints {
  items: { id: string; url: string }[];
}

async function submit(client: Client, formId: string, { person, answers }: DemoSubmission): Promise<void> {
  const body = { jsonData: JSON.stringify(answers), isComplete: true };
  if (person === null) {
    await client.post(`/api/forms/${formId}/submissions`, body);
    return;
  }
  const { externalSubjectId, displayId, profile } = person;
  const submitter = { externalSubjectId, displayId, profile };
  const at = `/forms/${formId}/submissions/onbehalf`;
  const { status, body: answer } = await client.call('POST', at, { ...body, submitter });
  // 409: the respondent has answered this form, and another submission was deleted since.
  if (status !== 201 && status !== 409) throw new Error(`POST ${at}: ${status} ${JSON.stringify(answer)}`);
}
