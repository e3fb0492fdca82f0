import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type DefaultTheme, type MarkdownRenderer } from 'vitepress';
import { siteLink } from './links';
import { chaptersOf, pageFiles, pageOf, titleOf, type Chapter } from './pages';
import { slugOf } from './slug';

/** VitePress bundles this file and runs it in the folder of the repository. */
const root = process.cwd();

/** Files that pages link to, by their place in the site. */
const copies = new Map<string, string>();

/** Makes links between files of the repository links of the site. */
function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository_links', ({ tokens, env }) => {
    const file = path.relative(root, (env as { realPath?: string; path: string }).realPath ?? env.path);
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open');
    for (const link of links) {
      const to = siteLink(root, file, link.attrGet('href') ?? '');
      if (to.kind === 'page' || to.kind === 'copy') link.attrSet('href', to.href);
      if (to.kind === 'copy') {
        copies.set(to.href, to.file);
        link.attrSet('target', '_blank');
      }
      if (to.kind === 'folder') link.attrs = null;
    }
  });
}

const sidebarOf = ({ title, files, collapsed }: Chapter): DefaultTheme.SidebarItem => ({
  text: title,
  collapsed: collapsed ?? false,
  items: files.map((file) => ({ text: titleOf(root, file), link: `/${pageOf(file)}` })),
});

/** The site of the documents: `npm run docs`. */
export const config = defineConfig({
  title: 'Canvass',
  description: 'A self-hosted backend for forms and surveys.',
  lang: 'en-GB',
  // All addresses are relative, so that the site can be served from any folder.
  base: './',
  srcDir: '../..',
  outDir: '../../dist/site',
  cacheDir: '../../.local/site-cache',
  // Files named config.ts are programs of the apps, not settings of folders of the site.
  additionalConfig: {},
  rewrites: Object.fromEntries(pageFiles(root).map((file) => [file, pageOf(file)])),
  markdown: { anchor: { slugify: slugOf }, config: repositoryLinks },
  themeConfig: {
    nav: chaptersOf(root)
      .filter(({ collapsed }) => !collapsed)
      .map(({ title, files }) => ({ text: title, link: `/${pageOf(files[0]!)}` })),
    sidebar: chaptersOf(root).map(sidebarOf),
    outline: [2, 3],
    search: { provider: 'local' },
    footer: { message: 'MIT License' },
  },
  buildEnd({ outDir }) {
    for (const [place, file] of copies) {
      const target = path.join(outDir, place);
      mkdirSync(path.dirname(target), { recursive: true });
      copyFileSync(path.join(root, file), target);
    }
  },
});
