import { statSync } from 'node:fs';
import path from 'node:path';
import { pageOf } from './pages';

/** The place where a link of a page leads in the site. */
export type SiteLink =
  | { kind: 'as it is' }
  | { kind: 'page'; href: string }
  /** A file of the repository, of which the site has a copy. */
  | { kind: 'copy'; href: string; file: string }
  /** A folder has no page: the link becomes text. */
  | { kind: 'folder' };

/**
 * The place where a link leads. The site has the pages of docs/ at its top and those of other folders below
 * their names, so links between files lead elsewhere than in the repository.
 *
 * @param file the page with the link, relative to the repository
 * @throws {Error} for a link to a file that does not exist
 */
export function siteLink(root: string, file: string, href: string): SiteLink {
  if (/^([a-z][a-z+.-]*:|#|\/\/)/i.test(href)) return { kind: 'as it is' };
  const [place = '', anchor] = href.split('#');
  const target = path.join(path.dirname(file), decodeURIComponent(place)).replace(/\/$/, '');
  const stat = statSync(path.join(root, target), { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${file} links to ${target}, which does not exist.`);
  if (stat.isDirectory()) return { kind: 'folder' };
  if (!target.endsWith('.md')) return copyOf(target);
  return { kind: 'page', href: `/${pageOf(target)}${anchor === undefined ? '' : `#${anchor}`}` };
}

/** Pictures keep their names. Of code a browser shows only what is named as text. */
const copyOf = (file: string): SiteLink => ({
  kind: 'copy',
  href: `/${/\.(webp|png|svg)$/.test(file) ? file : `${file}.txt`}`,
  file,
});
