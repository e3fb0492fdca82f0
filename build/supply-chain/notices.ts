// cspell:ignore Bynens Devsoft Schlueter
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lockedPackages, type Component } from './sbom';

const licenceFile = /^(license|licence|copying|notice)/i;

/**
 * The licences of packages with their texts, which most licences require to be passed on.
 *
 * @throws {Error} for a package without a licence
 */
export function noticesOf(root: string, components: readonly Component[]): string {
  const sections = [...components]
    .sort((a, b) => a.purl.localeCompare(b.purl, 'en'))
    .map((component) => {
      const { name, version } = component;
      const holder = holders[name];
      const shipped = licenceTexts(installedAt(root, component));
      const own = name === 'saxes' ? textsOfSaxes(root) : shipped;
      const texts = holder === undefined ? own : [mitOf(root, holder)];
      return [`${name} ${version} (${licenceOf(component)})`, ...texts].join('\n\n');
    });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `Canvass contains or loads these packages.${rule}${sections.join(rule)}\n`;
}

/** The SPDX id or expression of a package. @throws {Error} when it names none */
export function licenceOf({ name, licenses = [] }: Component): string {
  const ids = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  const named = ids.filter((id) => id !== undefined);
  if (named.length === 0) throw new Error(`${name} names no licence`);
  return named.join(' AND ');
}

/** The folder of an installed package, by the lock file: two versions of a package are in different folders. */
function installedAt(root: string, { name, version }: Component): string | undefined {
  const [at] =
    Object.entries(lockedPackages(root)).find(
      ([folder, locked]) => folder.endsWith(`node_modules/${name}`) && locked.version === version,
    ) ?? [];
  return at === undefined ? undefined : path.join(root, at);
}

/** Holders of the copyright of packages under the MIT licence that ship no text of it; their code names them. */
const holders: Record<string, string> = {
  'survey-core': '(c) 2015-2026 Devsoft Baltic OÜ',
  'survey-react-ui': '(c) 2015-2026 Devsoft Baltic OÜ',
};

/** The licences of saxes, of sax in it, and of a function in it. Its package does not ship them. */
const textsOfSaxes = (root: string): string[] => [
  iscOf('Contributors'),
  iscOf('Isaac Z. Schlueter and Contributors'),
  mitOf(root, 'Mathias Bynens <https://mathiasbynens.be/>'),
];

const iscOf = (holder: string): string => `Copyright (c) ${holder}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

/** The text of the MIT licence for another holder: Canvass itself has the same licence. */
const mitOf = (root: string, holder: string): string =>
  readFileSync(path.join(root, 'LICENSE'), 'utf8')
    .replace(/^Copyright .*$/m, `Copyright ${holder}`)
    .trim();

/** The licence files of a package, or else the section of its readme. Empty if it ships neither. */
function licenceTexts(folder: string | undefined): string[] {
  if (folder === undefined || !existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => !/\.(js|ts|json)$/.test(file));
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8').trim();
  const texts = files.filter((file) => licenceFile.test(file)).map(read);
  if (texts.length > 0) return texts;
  const readme = files.find((file) => /^readme/i.test(file));
  const section = readme && /^(#+ *)?(license|licence) *$[^]*/im.exec(read(readme));
  return section ? [section[0]] : [];
}
