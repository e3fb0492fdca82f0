// cspell:ignore Brünn Wenen
/** The list of the pictures of the console. */
import type { Page } from 'playwright-core';
import type { Subjects } from './subjects';

export interface Picture {
  /** File name without mode and extension. */
  name: string;
  /** A phrase of what it shows, for the list of pictures. */
  about: string;
  /** Path below `/console`. */
  path(subjects: Subjects): string;
  /** Does what is to be done on the page before. */
  act?(page: Page, subjects: Subjects): Promise<unknown>;
  /** The sign-in page: no user is signed in. */
  isSignedOut?: true;
  /** The locale of the browser; English without it. */
  locale?: 'de-AT';
}

export interface Mode {
  colorScheme: 'light' | 'dark';
  /** Pixels. */
  width: number;
}

export const modes: readonly Mode[] = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
];

/** The file of a picture in `docs/console`. */
export const fileOf = ({ name }: Pick<Picture, 'name'>, { colorScheme, width }: Mode): string =>
  `${name}-${colorScheme}-${width}.webp`;

const csv = (text: string) => ({ name: 'cities.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
const chooseFile = (page: Page, text: string) =>
  page.getByLabel('Choose a file', { exact: true }).and(page.locator('input')).setInputFiles(csv(text));
const checkFile = (page: Page) => page.getByRole('button', { name: 'Check the file' }).click();

const goodFile = `value,default,de,nl
graz,Graz,,Graz
vienna,Vienna,Wien,Wenen
brno,Brno,Brünn,Brno
`;
const badFile = `value,default,de
graz,Graz,
vienna,,Wien
brno,Brno,Brünn
graz,Graz again,
`;

/** Pictures in the order of the navigation. */
export const pictures: readonly Picture[] = [
  {
    name: 'sign-in',
    about: 'Sign-in',
    path: () => '',
    isSignedOut: true,
  },
  {
    name: 'sign-in-failed',
    about: 'Sign-in that failed',
    path: () => '',
    isSignedOut: true,
    async act(page) {
      await page.getByLabel('E-mail address').fill('ada@demo.example');
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'overview', about: 'Overview', path: () => '/' },
  {
    name: 'go-to',
    about: 'Go to … (Ctrl+K)',
    path: () => '/',
    async act(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'forms', about: 'Forms', path: () => '/forms' },
  { name: 'form', about: 'One form', path: ({ formId }) => `/forms/${formId}` },
  {
    name: 'form-edit',
    about: 'The definition of a form, with its preview',
    path: ({ formId }) => `/forms/${formId}/edit`,
    async act(page) {
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.frameLocator('iframe').locator('.sd-root-modern').waitFor();
    },
  },
  { name: 'form-share', about: 'Share a form', path: ({ formId }) => `/forms/${formId}/share` },
  {
    name: 'submissions',
    about: 'Submissions of a form',
    path: ({ formId }) => `/forms/${formId}/submissions`,
  },
  {
    name: 'submission',
    about: 'One submission',
    path: ({ formId, submissionId }) => `/forms/${formId}/submissions/${submissionId}`,
  },
  {
    name: 'submission-beside',
    about: 'A submission beside the list',
    path: ({ formId, submissionId }) => `/forms/${formId}/submissions?row=${submissionId}`,
  },
  {
    name: 'view',
    about: 'A view for the team',
    path: ({ formId }) => `/forms/${formId}/submissions?test=false`,
    async act(page) {
      await page.getByRole('button', { name: 'View: Standard' }).click();
      await page.getByRole('menuitem', { name: 'Save as …' }).click();
      const audience = page.getByRole('dialog').getByLabel('For whom');
      await audience.selectOption('Everybody in the tenant; the list opens with it');
    },
  },
  {
    name: 'form-summary',
    about: 'The summary of a form',
    path: ({ formId }) => `/forms/${formId}/summary`,
  },
  {
    name: 'form-settings',
    about: 'Settings of a form',
    path: ({ formId }) => `/forms/${formId}/settings`,
  },
  {
    name: 'form-versions',
    about: 'Versions of a definition',
    path: ({ formId }) => `/forms/${formId}/settings/versions`,
  },
  { name: 'deliveries', about: 'Deliveries', path: () => '/deliveries' },
  {
    name: 'delivery',
    about: 'One delivery that fails',
    path: ({ failedDeliveryId }) => `/deliveries/${failedDeliveryId}`,
  },
  {
    name: 'delivery-delivered',
    about: 'One delivery to a slow receiver',
    path: ({ slowDeliveryId }) => `/deliveries/${slowDeliveryId}`,
  },
  {
    name: 'recover',
    about: 'The plan of a recovery',
    path: ({ failingEndpointId }) => `/deliveries/recover?endpointId=${failingEndpointId}`,
  },
  { name: 'recoveries', about: 'Recoveries', path: () => '/recoveries' },
  { name: 'recovery', about: 'One recovery', path: ({ recoveryId }) => `/recoveries/${recoveryId}` },
  { name: 'endpoints', about: 'Endpoints', path: () => '/endpoints' },
  {
    name: 'endpoint',
    about: 'An endpoint that fails',
    path: ({ failingEndpointId }) => `/endpoints/${failingEndpointId}`,
  },
  {
    name: 'endpoint-disabled',
    about: 'A disabled endpoint',
    path: ({ disabledEndpointId }) => `/endpoints/${disabledEndpointId}`,
  },
  { name: 'webhook-settings', about: 'Webhook settings of the tenant', path: () => '/webhook-settings' },
  { name: 'alerts', about: 'Alerts', path: () => '/webhook-alerts' },
  { name: 'submitters', about: 'Submitters', path: () => '/submitters' },
  { name: 'person', about: 'One person', path: ({ submitterId }) => `/submitters/${submitterId}` },
  {
    name: 'erasure',
    about: 'What an erasure ends',
    path: ({ submitterId }) => `/submitters/${submitterId}`,
    async act(page) {
      await page
        .getByRole('button', { name: /^Erase/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'data-lists', about: 'Data lists', path: () => '/data-lists' },
  { name: 'data-list', about: 'Items of a data list', path: ({ citiesId }) => `/data-lists/${citiesId}` },
  {
    name: 'countries',
    about: 'A data list in 78 languages',
    path: ({ countriesId }) => `/data-lists/${countriesId}`,
  },
  {
    name: 'try-the-search',
    about: 'Try the search',
    path: ({ citiesId }) => `/data-lists/${citiesId}/search`,
    async act(page) {
      await page.getByLabel('Language of the form').selectOption('de');
      await page.getByLabel('What a respondent types').fill('bru');
      await page.locator('mark').first().waitFor();
    },
  },
  { name: 'versions', about: 'Versions', path: ({ citiesId }) => `/data-lists/${citiesId}/versions` },
  { name: 'import', about: 'Import', path: ({ citiesId }) => `/data-lists/${citiesId}/import` },
  {
    name: 'import-preview',
    about: 'A file before it is sent',
    path: ({ citiesId }) => `/data-lists/${citiesId}/import`,
    act: (page) => chooseFile(page, goodFile),
  },
  {
    name: 'import-errors',
    about: 'Errors in the lines of a file',
    path: ({ citiesId }) => `/data-lists/${citiesId}/import`,
    async act(page) {
      await chooseFile(page, badFile);
      await checkFile(page);
      await page.getByRole('button', { name: 'Show line 3' }).click();
    },
  },
  {
    name: 'import-difference',
    about: 'What an import changes',
    path: ({ citiesId }) => `/data-lists/${citiesId}/import`,
    async act(page) {
      await chooseFile(page, goodFile);
      await checkFile(page);
      await page.getByRole('heading', { name: 'What the import changes' }).waitFor();
    },
  },
  {
    name: 'data-list-settings',
    about: 'Settings of a data list',
    path: ({ citiesId }) => `/data-lists/${citiesId}/settings`,
  },
  { name: 'jobs', about: 'Jobs', path: () => '/jobs' },
  { name: 'health', about: 'Health', path: () => '/health' },
  { name: 'users', about: 'Users', path: () => '/users' },
  { name: 'user', about: 'One user', path: ({ userId }) => `/users/${userId}` },
  { name: 'service-accounts', about: 'Service accounts', path: () => '/service-accounts' },
  {
    name: 'service-account',
    about: 'One service account',
    path: ({ accountId }) => `/service-accounts/${accountId}`,
  },
  { name: 'audit', about: 'Audit trail', path: () => '/audit' },
  { name: 'settings', about: 'Your settings', path: () => '/settings' },
  { name: 'overview-german', about: 'Overview in German', path: () => '/', locale: 'de-AT' },
  {
    name: 'delivery-german',
    about: 'A delivery in German',
    path: ({ failedDeliveryId }) => `/deliveries/${failedDeliveryId}`,
    locale: 'de-AT',
  },
  { name: 'not-found', about: 'A record that does not exist', path: () => '/submitters/1' },
];
