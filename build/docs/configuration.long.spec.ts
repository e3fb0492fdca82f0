import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describeConfig } from '@canvass/service-kit';
import { configSchemas, configurationPage, documentedSchemas } from './configuration';

const root = path.join(__dirname, '../..');

test('the generated pages are what schemas and endpoint tables say', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'build/docs/main.ts', '--check'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' });
});

describe('the schemas of all services', () => {
  test('every key has a description', async () => {
    const schemas = await configSchemas(root);
    expect([...schemas.keys()]).toEqual(
      expect.arrayContaining(['gateway', 'submissions-svc', 'webhook-relay-svc']),
    );
    const silent = [...schemas].flatMap(([app, schema]) =>
      describeConfig(schema)
        .filter(({ description }) => description === '')
        .map(({ key }) => `${app} ${key}`),
    );
    expect(silent).toEqual([]);
  });

  test('every service takes health checks and a response writer', async () => {
    for (const schema of (await configSchemas(root)).values()) {
      const keys = describeConfig(schema).map(({ key }) => key);
      expect(keys).toEqual(expect.arrayContaining(['Service:Health:Checks', 'Service:Health:Writer']));
    }
  });

  test('keys that hold a secret are marked as secret', async () => {
    const schemas = await documentedSchemas(root);
    const open = [...schemas.values()]
      .flatMap((schema) => describeConfig(schema))
      .filter(({ key, secret }) => !secret && /(password|secret|:keys|(database|broker):url)$/i.test(key))
      .map(({ key }) => key);
    expect(open).toEqual([]);
  });

  test('a key that several services read is listed once, with its different defaults', async () => {
    const page = configurationPage(await documentedSchemas(root));
    expect(page.match(/`Service:Hosting:Port` \(/g)).toHaveLength(1);
    expect(page).toContain('- `Service:Provision:AdminUrl` (');
    expect(page).toMatch(/`Service:Hosting:Port` \(integer, .*`8081` submissions-svc/);
    expect(page).toMatch(
      /^- `Service:Provision:Passwords:Identity`, `Service:Provision:Passwords:Submissions`, .* secret\): /m,
    );
  });
});
