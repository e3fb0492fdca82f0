import { parseStartArguments, refuseOptionsOfNpm, withoutEffect } from './arguments';

describe('the command line of npm start', () => {
  it('asks for nothing by default', () => {
    expect(parseStartArguments([])).toEqual({
      demo: false,
      exit: false,
      stop: false,
      fresh: false,
      help: false,
      replicas: {},
      port: null,
    });
  });

  it('plays the demo before it exits', () => {
    expect(parseStartArguments(['--exit'])).toMatchObject({ demo: true, exit: true });
    expect(parseStartArguments(['--demo', '--fresh'])).toMatchObject({
      demo: true,
      exit: false,
      fresh: true,
    });
  });

  it.each([
    [['--replicas', 'relay=2,gateway=1']],
    [['--replicas', 'relay=2', 'gateway=1']],
    [['--replicas=webhook-relay-svc=2', '--replicas', 'gateway=1']],
  ])('takes copies as %j', (argv) => {
    expect(parseStartArguments(argv).replicas).toEqual({ 'webhook-relay-svc': 2, gateway: 1 });
  });

  it.each([
    [['--replicas', 'relay'], /takes pairs such as relay=2/],
    [['--replicas', 'relay=0'], /1 to 9 copies/],
    [['--replicas', 'console=2'], /not "console=2"/],
    [['--dmeo'], /--dmeo/],
    [['--port', 'http'], /not "http"/],
    [['--port', '65536'], /from 1 to 65535/],
    [['--port'], /--port/],
    [['now'], /"now" is not an option/],
  ])('refuses %j in one sentence', (argv, sentence) => {
    expect(() => parseStartArguments(argv)).toThrow(sentence);
    expect(() => parseStartArguments(argv)).toThrow(/npm start -- --help/);
  });

  it('takes a port of the gateway', () => {
    expect(parseStartArguments(['--port', '8080']).port).toBe(8080);
  });

  it('says which options do not change a stack that runs', () => {
    const saying = (...argv: string[]) => withoutEffect(parseStartArguments(argv), 'http://127.0.0.1:8080');
    expect(saying()).toBeNull();
    expect(saying('--port', '8080', '--demo')).toBeNull();
    expect(saying('--port', '8090')).toBe(
      '--port 8090 has no effect on it. To change that: npm start -- --stop, then npm start -- --port 8090',
    );
    expect(saying('--replicas', 'relay=2')).toContain('npm start -- --replicas webhook-relay-svc=2');
  });

  it('notices an option that npm took', () => {
    expect(() => refuseOptionsOfNpm({ npm_config_fresh: 'true' })).toThrow('write "npm start -- --fresh"');
    expect(() => refuseOptionsOfNpm({ npm_config_registry: 'https://registry.example' })).not.toThrow();
  });
});
