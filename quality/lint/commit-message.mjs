import { readdirSync } from 'node:fs';

const folders = (parent) =>
  readdirSync(new URL(`../../${parent}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const parts = ['apps', 'libs', 'tools', 'build', 'quality', 'deploy'];
const apps = folders('apps');
const pages = readdirSync(new URL('../../docs', import.meta.url)).map((name) => name.replace(/\.\w+$/, ''));
const scopes = [
  ...parts,
  ...parts.flatMap(folders),
  ...folders('libs/platform/src'),
  // `submissions` for submissions-svc, `relay` for webhook-relay-svc.
  ...apps.map((name) => name.replace(/-svc$/, '').replace(/^webhook-/, '')),
  // Of earlier commits.
  'benchmarks',
  'operations',
  'range-counts',
  'json-numbers',
  'deps',
  'docs',
  ...pages,
  'k8s',
];

/** Conventional Commits of at most 72 characters; the scope is an app, a library or a folder. */
export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    'header-max-length': [2, 'always', 72],
    'scope-enum': [2, 'always', [...new Set(scopes)]],
    // Bodies may quote long lines.
    'body-max-line-length': [0],
    'footer-max-line-length': [0],
  },
};
