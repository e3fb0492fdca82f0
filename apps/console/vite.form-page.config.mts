// cspell:ignore formbox fesm
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseTheme, createBaseThemeStyle } from 'survey-core';
import { DefaultDark } from 'survey-core/themes';
import { defineConfig, type Plugin } from 'vite';
import base from './vite.config.mts';
import preview from './vite.preview.config.mts';

const root = path.join(import.meta.dirname, '../..');

/** Colours of SurveyJS in which the text of buttons could not be read well are replaced. */
const darkColours = {
  '--sjs2-color-project-brand-600': '#19b394',
  '--sjs2-color-fg-brand-on-primary': '#10211e',
};

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
  return [
    createBaseThemeStyle(),
    rule(Object.fromEntries(resets) as object),
    rule({ '--sjs2-color-project-brand-600': '#0f766e' }),
    `@media (prefers-color-scheme: dark) { ${rule({ ...DefaultDark.cssVariables, ...darkColours })} }`,
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
  build: { ...preview.build, outDir: path.join(base.build!.outDir!, 'form-page') },
});
