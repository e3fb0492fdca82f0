/**
 * Opens exported files with LibreOffice (of Debian's libreoffice-calc-nogui) in a German locale. Passes
 * if there is one column per question with its title, labels in place of values, right umlauts, and ids with all
 * digits, in CSV for spreadsheets and in XLSX.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '@canvass/infra';
import { clientOf, login } from '@canvass/testing';
import Papa from 'papaparse';
import { proveOnStack } from '../private-stack';

const install = 'There is no soffice: sudo apt-get install libreoffice-calc-nogui';

/** German (Germany) in LibreOffice, and its filter for CSV: separator, quotes, UTF-8, first row. */
const german = 1031;
const openCsv = `CSV:59,34,76,1,,${german},false,true`;
const saveCsv = `csv:Text - txt - csv (StarCalc):59,34,76,1,,${german},false,true`;

proveOnStack('spreadsheet', {}, async ({ file }, dir) => {
  const program = onPath('soffice');
  if (program === undefined) throw new Error(install);
  const { gatewayUrl, demo } = file;
  const token = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
  const admin = clientOf(gatewayUrl, token);
  const { id: list } = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: 'Countries',
    availableLocales: ['de'],
  });
  const labels = { default: 'Nigeria' };
  await admin.expect(200, 'PUT', `/api/data-lists/${list}/import`, { items: [{ value: 'NG', labels }] });
  const elements = [
    { type: 'text', name: 'city', title: { default: 'Town', de: 'Ihre Stadt (Süd)' } },
    { type: 'dropdown', name: 'country', title: { default: 'Country', de: 'Land' }, dataList: list },
    { type: 'text', name: 'phone', title: { default: 'Phone', de: 'Nummer' } },
  ];
  const form = { name: 'Orte', isEnabled: true, dataListIds: [list], definition: { elements } };
  const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', form);
  const answers = { city: 'Düsseldorf; „Süd“ ß', country: 'NG', phone: '0049123456789012' };
  const submissions = `/api/forms/${formId}/submissions`;
  const { id } = await clientOf(gatewayUrl).expect<{ id: string }>(201, 'POST', submissions, {
    isComplete: true,
    jsonData: JSON.stringify(answers),
  });
  const expected = [
    ['id', 'Ihre Stadt (Süd)', 'Land', 'Nummer'],
    [id, answers.city, 'Nigeria', answers.phone],
  ];
  const fields = ['id', 'answers.city', 'answers.country', 'answers.phone'];
  const people = { answers: 'columns', labels: true, titles: true, locale: 'de', fields };
  const formats = [{ format: 'csv', bom: true, separator: ';', idsAsText: true }, { format: 'xlsx' }];
  let isRight = true;
  for (const format of formats) {
    const response = await fetch(`${gatewayUrl}${submissions}/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...people, ...format }),
    });
    const name = path.join(dir, `answers.${format.format}`);
    writeFileSync(name, Buffer.from(await response.arrayBuffer()));
    const shown = await opened(program, name, dir);
    const isSame = JSON.stringify(shown) === JSON.stringify(expected);
    console.log(
      `${format.format}: ${isSame ? 'as expected' : 'other than expected'}\n${JSON.stringify(shown)}`,
    );
    isRight &&= isSame;
  }
  return isRight;
});

/** The cells that LibreOffice shows of a file. */
async function opened(program: string, file: string, dir: string): Promise<string[][]> {
  const out = path.join(dir, 'shown');
  const isCsv = file.endsWith('.csv');
  const profile = `-env:UserInstallation=file://${path.join(dir, 'libreoffice')}`;
  const args = [profile, '--headless', ...(isCsv ? [`--infilter=${openCsv}`] : [])];
  const env = { ...process.env, LANG: 'de_DE.UTF-8' };
  await promisify(execFile)(program, [...args, '--convert-to', saveCsv, '--outdir', out, file], { env });
  const text = readFileSync(path.join(out, 'answers.csv'), 'utf8').replace(/^\ufeff/, '');
  return Papa.parse<string[]>(text, { delimiter: ';', skipEmptyLines: true }).data;
}
