import { exactObject, wireId } from '@canvass/contracts';
import { revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { AlertSettings } from './alert-settings.sql';
import { mailLanguages } from './alert-mail';
import type { AlertTest } from './test-alerts';

/** The answers of the operations on alerts, for documents and tests. */

export interface AlertSettingsView extends AlertSettings {
  mail: 'configured' | 'not_configured';
}

const example: AlertSettingsView = {
  addresses: ['operations@example.org'],
  language: 'en',
  url: 'https://hooks.example.org/alerts',
  endpointId: '186512345677000640',
  mail: 'configured',
  revision: '3',
};

/** Members of the body and of the answer. */
export const alertSettingsMembers = {
  language: Joi.string()
    .valid(...mailLanguages)
    .description('of the mails'),
};

const settings = exactObject<AlertSettingsView>('WebhookAlertSettings', {
  addresses: Joi.array().items(Joi.string().optional()).max(10).description('where mails go'),
  ...alertSettingsMembers,
  url: Joi.string().allow(null).description('where signed messages go; null: nowhere'),
  endpointId: wireId
    .allow(null)
    .description('the endpoint of the URL, which has its signing secret and its deliveries'),
  mail: Joi.string()
    .valid('configured', 'not_configured')
    .description('`not_configured`: the installation has no mail server, and sends no mails'),
  revision: Joi.string().description('`0` before the first save'),
})
  .description('Whom a tenant wants to know of the state of its endpoints.')
  .example(example);

export const alertSettings: DescribedAnswer = {
  description: 'The settings.',
  body: settings,
  headers: revisionHeader,
  example,
};

type TestedMail = AlertTest['mails'][number];
type TestedUrl = NonNullable<AlertTest['url']>;

const testExample: AlertTest = {
  mails: [{ address: 'operations@example.org', isSent: true, fault: null }],
  url: { deliveryId: '186512345681000768', status: 'delivered', outcome: 'success', statusCode: 200 },
};

export const testedAlerts: DescribedAnswer = {
  description: 'What happened.',
  body: exactObject<AlertTest>('WebhookAlertTest', {
    mails: Joi.array()
      .items(
        exactObject<TestedMail>('WebhookAlertTestMail', {
          address: Joi.string(),
          isSent: Joi.boolean().description('whether the mail server accepted it'),
          fault: Joi.string().allow(null).description('why not'),
        }).optional(),
      )
      .max(10)
      .description('a mail to each address'),
    url: exactObject<TestedUrl>('WebhookAlertTestUrl', {
      deliveryId: wireId.description('the delivery, which has the whole answer'),
      status: Joi.string()
        .valid('delivered', 'failed', 'pending')
        .description('`pending`: there was no result within 20 s'),
      outcome: Joi.string().allow(null).description('as in the log of deliveries'),
      statusCode: Joi.number().integer().allow(null).description('null without an answer'),
    })
      .allow(null)
      .description('null without an alert URL'),
  }),
  example: testExample,
};
