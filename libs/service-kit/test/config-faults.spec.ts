import path from 'node:path';
import { loadConfig } from '../src';
import { faultsOf, file, folder, load, schema } from './config-harness';

describe('faults', () => {
  test('are reported together, each with its key', () => {
    const faults = faultsOf(() =>
      loadConfig(schema, {
        argv: [],
        defaultsFile: path.join(folder, 'absent.json'),
        env: {
          Service__Hosting__Port: '70000',
          Service__Hosting__LivenessPath: 'alive',
          Service__Hosting__Prot: '1',
          Service__Logging__Level: 'loud',
          Service__Database__PoolMax: 'many',
          Service__Submitter__Fields: 'email,name',
          Service__Outbox__DeliverToJobQueue: 'maybe',
          Service__Typo__Key: 'x',
        },
      }),
    );
    for (const key of [
      'Hosting:Port',
      'Hosting:LivenessPath',
      'Hosting:Prot',
      'Logging:Level',
      'Database:PoolMax',
      'Database:Url',
      'Submitter:Fields',
      'Outbox:DeliverToJobQueue',
      'Typo',
    ]) {
      expect(faults.filter((fault) => fault.startsWith(`Service:${key} `))).toHaveLength(1);
    }
    expect(faults).toHaveLength(9);
  });

  test('a missing key is reported by its own name, not by its section', () => {
    expect(faultsOf(() => loadConfig(schema, { argv: [], env: {} }))).toEqual([
      'Service:Database:Url is required.',
    ]);
  });

  test('keys are case-sensitive, and a misspelt key is a fault', () => {
    expect(faultsOf(() => load({ Service__hosting__Port: '1' }))).toEqual([
      'Service:hosting is not a known key.',
    ]);
  });

  test.each<[string, NodeJS.ProcessEnv, RegExp]>([
    [
      'a value and its parts',
      { Service__Submitter__Fields: '[]', Service__Submitter__Fields__0: 'a' },
      /both as one value and in parts/,
    ],
    ['a gap in a list', { Service__Submitter__Fields__1: 'a' }, /^Service:Submitter:Fields must be an array/],
    [
      'a value and its file',
      { Service__Database__Url_FILE: '/x' },
      /^Service:Database:Url is given both as a value and as a file/,
    ],
    [
      'a missing secret file',
      { Service__Database__Url: '', Service__Database__Url_FILE: '/no/such' },
      /Url_FILE names a file that cannot be read \(ENOENT\)/,
    ],
    ['an empty part', { Service__Database____Url: 'x' }, /empty part/],
    [
      'a config file that is missing',
      { CANVASS_CONFIG: '/no/such.json' },
      /\/no\/such\.json cannot be read \(ENOENT\)/,
    ],
  ])('%s is a fault', (_, env, message) => {
    expect(faultsOf(() => load(env)).some((fault) => message.test(fault))).toBe(true);
  });

  test.each(['{', '[]', 'null', '"x"'])('a file that holds %s is a fault', (content) => {
    const config = file('bad.json', content);
    expect(faultsOf(() => load({ CANVASS_CONFIG: config }))[0]).toContain('bad.json');
  });

  test('--config without a name is a fault', () => {
    expect(faultsOf(() => load({}, ['--config']))).toContain('--config needs the name of a file.');
  });

  test('faults never quote a secret', () => {
    const faults = faultsOf(() => load({ Service__Database__Url: 'hunter2 not a url', Service__Typo: 'x' }));
    expect(faults.join()).not.toContain('hunter2');
    const config = file('trailing-comma.json', '{"Service":{"Database":{"Url":"hunter2",}}}');
    const [fault] = faultsOf(() => load({ CANVASS_CONFIG: config }));
    expect(fault).toMatch(/trailing-comma\.json is not valid JSON: there is a fault at character 40\.$/);
  });
});
