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
    Service__PublicForms__Verifier__Secret_FILE: '/run/secret',
  });
  expect(settings).toEqual({
    'identity-svc': { Service__Auth__Providers: '[]', Service__Logging__Level: 'debug' },
    'submissions-svc': {
      Service__Submitter__ProfileSnapshotFields__0: 'department',
      Service__Auth__Providers: '[]',
      Service__Logging__Level: 'debug',
      Service__PublicForms__Verifier__Secret_FILE: '/run/secret',
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
