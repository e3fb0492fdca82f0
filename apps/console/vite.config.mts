import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const root = path.join(import.meta.dirname, '../..');

/**
 * `virtual:permissions`: the permission that each operation of the API needs, as the services define it, and
 * the operations of identity-svc.
 * `npx nx run build:openapi` writes it.
 */
function permissions(): Plugin {
  const id = 'virtual:permissions';
  const file = path.join(root, 'dist/openapi/permissions.json');
  return {
    name: 'permissions',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(source) {
      if (source !== `\0${id}`) return null;
      const routes = JSON.parse(readFileSync(file, 'utf8')) as {
        service: string;
        operation: string;
        needs: string;
      }[];
      const needs = routes.filter(({ needs: name }) => /^[A-Za-z]+\.[A-Za-z]+$/.test(name));
      const ofIdentity = routes.filter(({ service }) => service === 'identity-svc');
      return `export default ${JSON.stringify(Object.fromEntries(needs.map(({ operation, needs: name }) => [operation, name])))};
        export const ofIdentity = ${JSON.stringify(ofIdentity.map(({ operation }) => operation))};`;
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), permissions()],
  experimental: {
    // Files find each other wherever they are. The gateway writes its path prefix into the page only.
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/console/${name}` : { relative: true }),
  },
  resolve: {
    alias: {
      '@canvass/json-numbers': path.join(root, 'libs/contracts/src/json-numbers/index.ts'),
      // Apart from the other components, so that pages without these do not load them.
      '@canvass/console-ui/dialog': path.join(root, 'libs/console-ui/src/dialog.tsx'),
      '@canvass/console-ui/grid': path.join(root, 'libs/console-ui/src/grid/index.ts'),
      '@canvass/console-ui/layout': path.join(root, 'libs/console-ui/src/grid/columns.ts'),
      '@canvass/console-ui': path.join(root, 'libs/console-ui/src/index.ts'),
    },
  },
  build: {
    outDir: path.join(root, 'dist/apps/console'),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true, // for the check of the sizes
    license: { fileName: '.vite/packages.json' }, // for the check of the packages
    // The content security policy permits no inline script, and images from this origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
