import type { HttpOperation } from '@canvass/service-kit';
import { exactObject } from '@canvass/contracts';
import Joi from 'joi';
import type { ConsoleVariables } from '../config';

const example: ConsoleVariables = {
  submitterGridProfileFields: ['department'],
  submitterPrimaryFilterLabel: 'Customer number',
};

/** What the web console has to know before the sign-in. */
export const consoleConfigurationOperation: HttpOperation = {
  method: 'get',
  kind: 'read',
  access: 'anonymous',
  path: '/api/console/configuration',
  operationId: 'getConsoleConfiguration',
  summary: 'Settings of the web console',
  description: 'The variables `NEXT_PUBLIC_…` of the gateway, as they are now. They are public.',
  answers: {
    200: {
      description: 'The settings.',
      headers: { ETag: 'of the bytes; for If-None-Match', 'Cache-Control': 'always `public, no-cache`' },
      body: exactObject<ConsoleVariables>('ConsoleConfiguration', {
        submitterGridProfileFields: Joi.array()
          .items(Joi.string())
          .description('profile fields that are columns of the submissions, in this order'),
        submitterPrimaryFilterLabel: Joi.string()
          .allow(null)
          .description('placeholder of the filter by display id; null: that of the console'),
      })
        .description('Settings of the web console.')
        .example(example),
      example,
    },
  },
  isProcessEndpoint: true,
  problems: ['malformed_request', 'validation_failed', 'headers_too_large'],
};
