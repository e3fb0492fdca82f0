import { createWriteStream, mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { clientOf, createRandom, login, type Client } from '@canvass/testing';
import type { StackFile } from '@canvass/stack';
import { Pool } from 'pg';

export interface Login {
  email: string;
  password: string;
}

/** What the proof looks at. */
export interface Data {
  admin: Client;
  login: Login;
  /** A form of 60 questions with many submissions. */
  formId: string;
  submissions: number;
  /** Of the user, as the console names what it keeps of one. */
  subject: string;
  lists: { id: string; items: number }[];
  /** A list without items, and a file of a million lines for it, of which one near the end has an error. */
  emptyListId: string;
  file: { path: string; lines: number; faultLine: number; bytes: number };
  close(): void;
}

export const questions = 60;

/** The display id of a submission, in the order of their creation. */
export const displayIdOf = (n: number): string => `P${String(n).padStart(6, '0')}`;

export interface Sizes {
  submissions: number;
  /** Items of each list. */
  lists: readonly number[];
  lines: number;
}

/** Fills the tenant: submissions by SQL, lists by a streamed import. */
export async function fill({ gatewayUrl, databaseUrl, demo }: StackFile, sizes: Sizes): Promise<Data> {
  const own = { email: demo.adminEmail, password: demo.adminPassword };
  const admin = clientOf(gatewayUrl, await login(gatewayUrl, own.email, own.password), 600_000);
  const { subject } = await admin.get<{ subject: string }>('/api/auth/me');
  const formId = await fillForm(admin, databaseUrl, demo.tenantId, sizes.submissions);
  const dir = mkdtempSync(path.join(tmpdir(), 'canvass-console-'));
  const lists: Data['lists'] = [];
  for (const items of sizes.lists) {
    const id = await newList(admin, `Places ${items}`);
    const file = path.join(dir, `${items}.csv`);
    await pipeline(Readable.from(linesOf(items)), createWriteStream(file));
    await importFile(gatewayUrl, admin, id, file);
    lists.push({ id, items });
  }
  const faultLine = sizes.lines - 10;
  const file = path.join(dir, 'places.csv');
  await pipeline(Readable.from(linesOf(sizes.lines - 1, faultLine)), createWriteStream(file));
  return {
    admin,
    login: own,
    formId,
    submissions: sizes.submissions,
    subject,
    lists,
    emptyListId: await newList(admin, 'Places of a file'),
    file: { path: file, lines: sizes.lines, faultLine, bytes: (await stat(file)).size },
    close: () => rmSync(dir, { recursive: true }),
  };
}

async function fillForm(
  admin: Client,
  databaseUrl: string,
  tenantId: string,
  submissions: number,
): Promise<string> {
  const names = Array.from({ length: questions }, (_, n) => `q${n + 1}`);
  const elements = names.map((name, n) => ({ type: 'text', name, title: `Question ${n + 1}` }));
  const { id } = await admin.post<{ id: string }>('/api/forms', {
    name: `Form of ${questions} questions`,
    isEnabled: true,
    definition: { elements },
  });
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  // The last one is the newest.
  await pool.query(
    `insert into submissions.submissions (tenant_id, form_id, is_complete, is_test_submission, current_page,
       json_data, metadata, collection_status, completed_at, completed_revision, created_at, started_at, modified_at,
       submitter_display_id)
     select $1, $2, true, false, 0, (select json_object_agg('q' || q, 'answer ' || (n * q % 997)) from generate_series(1, $4::int) q)::text, '{}', 'complete', t, 1, t, t, t,
       'P' || lpad(n::text, 6, '0')
     from (select n, now() - interval '10 s' * ($3::int - n) as t from generate_series(1, $3::int) n order by n) g`,
    [tenantId, id, submissions, questions],
  );
  await pool.query('analyze submissions.submissions');
  await pool.end();
  return id;
}

/** The languages of the lists beside the default. */
const locales = ['de', 'pl', 'nl', 'ar', 'he'];

async function newList(admin: Client, name: string): Promise<string> {
  const list = { name, defaultLocale: 'en', availableLocales: locales };
  return (await admin.post<{ id: string }>('/api/data-lists', list)).id;
}

const names: Readonly<Record<string, readonly string[]>> = {
  en: ['North', 'Port', 'Hill', 'Lake', 'Bridge', 'Green'],
  de: ['Nord', 'Hafen', 'Berg', 'See', 'Brück', 'Grün'],
  pl: ['Północ', 'Port', 'Góra', 'Łąka', 'Most', 'Zielone'],
  nl: ['Noord', 'Haven', 'Berg', 'Meer', 'Brug', 'Groen'],
  ar: ['شمال', 'ميناء', 'تل', 'بحيرة', 'جسر', 'أخضر'],
  he: ['צפון', 'נמל', 'גבעה', 'אגם', 'גשר', 'ירוק'],
};

/** Items in six languages as CSV. @param faultLine a line without its default label */
function* linesOf(items: number, faultLine?: number): Generator<string> {
  const random = createRandom('places');
  yield `value,default,${locales.join(',')}\n`;
  for (let n = 1; n <= items; n += 1) {
    const [a, b] = [random.between(0, 5), random.between(0, 5)];
    const labels = ['en', ...locales].map((locale) => `${names[locale]![a]} ${names[locale]![b]}`);
    labels[0] = n + 1 === faultLine ? '' : `${labels[0]} ${n}`;
    yield `p${n},${labels.join(',')}\n`;
  }
}

async function importFile(gatewayUrl: string, admin: Client, id: string, file: string): Promise<void> {
  const response = await fetch(`${gatewayUrl}/api/data-lists/${id}/import`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' },
    body: await openAsBlob(file),
  });
  if (!response.ok) throw new Error(`The import answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
