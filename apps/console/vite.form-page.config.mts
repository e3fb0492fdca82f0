// cspell:ignore formbox fesm
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseTheme, createBaseThemeStyle } from 'survey-core';
import { DefaultDark } from 'survey-core/themes';
import { defineConfig, type Plugin } from 'vite';
import base from './vite.config.mts';
import preview from './vite.preview.config.mts';

const root = path.join(import.meta.dirname, '../..');

/** What SurveyJS would write into style elements, as a sheet: the policy of the page permits no such elements. */
function themeSheet(): string {
  const rule = (variables: object) =>
    `:where(.sd-theme-root) { ${Object.entries(variables)
      .map(([name, value]) => `${name}: ${String(value)};`)
      .join(' ')} }`;
  // A shadow of the same colour without a size, so that a change of shadows can be animated.
  const shadows = [
    'surface-default',
    'surface-focused',
    'component-formbox-default',
    'component-formbox-focused',
  ];
  const resets = shadows.map((shadow) => {
    const name = `--sjs2-border-effect-${shadow}`;
    const value = String((BaseTheme.cssVariables as Record<string, string>)[name]);
    const colour = /var\([^()]*\)$/.exec(value)![0];
    return [`${name}-reset`, `${value.startsWith('inset') ? 'inset ' : ''}0 0 0 0 ${colour}`];
  });
  // SurveyJS draws them with 1.3:1. They need 3:1 to the field and to its ground (WCAG 1.4.11).
  const borders = Object.keys(BaseTheme.cssVariables as object).filter((name) =>
    /-component-(formbox|boolean|(checkbox|radio)-false)-(default|hovered|readonly)-border$/.test(name),
  );
  // The colours follow the scheme of the page, which a form can set.
  const light = BaseTheme.cssVariables as Record<string, string>;
  const dark = Object.entries(DefaultDark.cssVariables as Record<string, string>);
  const [colours, others] = [true, false].map((isColour) =>
    dark.filter(([name]) => name.startsWith('--sjs2-color-') === isColour),
  );
  return [
    createBaseThemeStyle(),
    rule(Object.fromEntries(resets) as object),
    rule({ '--sjs2-color-project-brand-600': 'light-dark(#0f766e, #19b394)' }),
    rule({ '--sjs2-color-fg-brand-on-primary': 'light-dark(#fff, #10211e)' }),
    rule(Object.fromEntries(borders.map((name) => [name, 'light-dark(#808085, #77777c)'])) as object),
    rule(
      Object.fromEntries(
        colours.map(([name, dark]) => [name, `light-dark(${light[name]}, ${dark})`]),
      ) as object,
    ),
    `@media (prefers-color-scheme: dark) { ${rule(Object.fromEntries(others) as object)} }`,
  ].join('\n');
}

/** The languages of SurveyJS by their codes, each in a file of its own. */
function locales(): string {
  const folder = path.join(root, 'node_modules/survey-core/fesm/i18n');
  const entries = readdirSync(folder).flatMap((file) => {
    const code = /localeCode: "([^"]+)"/.exec(readFileSync(path.join(folder, file), 'utf8'))?.[1];
    const name = path.basename(file, '.mjs');
    return code === undefined || code === 'en' ? [] : [`'${code}': () => import('survey-core/i18n/${name}')`];
  });
  return `export const locales = { ${entries.join(', ')} };`;
}

function virtual(modules: Readonly<Record<string, () => string>>): Plugin {
  return {
    name: 'form-page',
    resolveId: (source) => (modules[source] === undefined ? null : `\0${source}`),
    load: (source) => modules[source.slice(1)]?.() ?? null,
  };
}

/** The page on which respondents answer a form. The gateway fills it and serves it at /f/{formId}. */
export default defineConfig({
  ...preview,
  root: path.join(import.meta.dirname, 'src/form-page'),
  plugins: [virtual({ 'virtual:survey-theme.css': themeSheet, 'virtual:survey-locales': locales })],
  resolve: {
    alias: {
      ...(preview.resolve!.alias as Record<string, string>),
      'virtual:canvass-surveyjs': path.join(root, 'apps/gateway/assets/canvass-surveyjs.js'),
    },
  },
  build: {
    ...preview.build,
    outDir: path.join(base.build!.outDir!, 'form-page'),
    // The first ones that know light-dark(), which a form decides about.
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
  },
});
