import path from 'node:path';
import { givenSettings } from './given-settings';

it('hands each variable to the services that read it', async () => {
  const origins = '["https://forms.example.org"]';
  const settings = await givenSettings({
    PATH: '/usr/bin',
    Service__Gateway__Cors__Origins: origins,
    Service__Submitter__ProfileSnapshotFields__0: 'department',
    Service__Auth__Providers: '[]',
    Service__Logging__Level: 'debug',
    Service__WebHooks__RetentionDays: '',
    Service__PublicForms__Verifier__Secret_FILE: path.join(__dirname, '../../.nvmrc'),
  });
  expect(settings).toEqual({
    'identity-svc': { Service__Auth__Providers: '[]', Service__Logging__Level: 'debug' },
    'submissions-svc': {
      Service__Submitter__ProfileSnapshotFields__0: 'department',
      Service__Auth__Providers: '[]',
      Service__Logging__Level: 'debug',
      Service__PublicForms__Verifier__Secret_FILE: path.join(__dirname, '../../.nvmrc'),
    },
    'datalists-svc': { Service__Auth__Providers: '[]', Service__Logging__Level: 'debug' },
    'webhook-relay-svc': { Service__Auth__Providers: '[]', Service__Logging__Level: 'debug' },
    gateway: {
      Service__Gateway__Cors__Origins: origins,
      Service__Submitter__ProfileSnapshotFields__0: 'department',
      Service__Auth__Providers: '[]',
      Service__Logging__Level: 'debug',
    },
  });
});

it('has nothing to hand on from an environment without them', async () => {
  expect(await givenSettings({ PATH: '/usr/bin', CANVASS_X: '1' })).toEqual({});
});

it.each([
  ['Service__Gateway__Cors__Origin', /^No service reads Service__Gateway__Cors__Origin:/],
  ['Service__Submiter__Extractors', /^No service reads/],
  ['Service__Hosting__Port', /^npm start sets Service__Hosting__Port for each process itself/],
  ['Service__Database__MigrationUrl_FILE', /^npm start sets Service__Database__MigrationUrl_FILE/],
])('refuses %s', async (name, sentence) => {
  await expect(givenSettings({ [name]: '1' })).rejects.toThrow(sentence);
});

it.each([
  [{ Service__Logging__Level: 'loud' }, 'Service:Logging:Level must be one of'],
  [{ Service__Auth__Providers: '[{"Name":"x"}]' }, 'Service:Auth:Providers:0:Issuer is required.'],
  [
    { Service__Mail__SmtpUrl: 'smtp://127.0.0.1', Service__Mail__From: 'a@example.org' },
    'Service:Mail with SmtpUrl',
  ],
  [{ Service__PublicForms__Verifier__Secret_FILE: '/nowhere' }, 'cannot be read (ENOENT)'],
])('says once what is wrong with %j', async (env, fault) => {
  const message = await givenSettings(env).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(message).toMatch(/^The configuration is not valid:\n/);
  expect(message.split(fault)).toHaveLength(2);
});
