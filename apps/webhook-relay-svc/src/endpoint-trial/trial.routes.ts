import {
  exactObject,
  webhookEventNames,
  type WebhookEndpoint,
  type WebhookEventName,
} from '@canvass/contracts';
import { endpoint, ok, type DescribedAnswer, type Endpoint } from '@canvass/service-kit';
import { describedUrl, endpointSchema, ignoredApiKey } from '@canvass/webhook-addresses';
import Joi from 'joi';
import { testsPerHour } from '../endpoints';
import { outcomes } from '../pipeline';
import { manage } from '../webhook-operations';
import { tryEndpoint, type TrialDeps, type TrialView } from './try-endpoint';

const body = Joi.object<{ event: WebhookEventName; endpoint: WebhookEndpoint }>({
  event: Joi.string()
    .valid(...webhookEventNames)
    .required()
    .description('the name of an event in settings; its example is sent'),
  endpoint: endpointSchema('', describedUrl, ignoredApiKey)
    .required()
    .description('as in webhook settings, with its secrets. Its filters are not applied'),
})
  .required()
  .example({ event: 'SubmissionCompleted', endpoint: { Url: 'https://hooks.example.org/canvass' } })
  .id('WebhookTrialBody');

const example: TrialView = {
  outcome: 'success',
  statusCode: 200,
  error: null,
  totalMs: 84,
  responseBody: 'ok',
};

const answer: DescribedAnswer = {
  description: 'What came of the request.',
  body: exactObject<TrialView>('WebhookTrial', {
    outcome: Joi.string<TrialView['outcome']>()
      .valid(...outcomes)
      .description('as of an attempt of a delivery'),
    statusCode: Joi.number().integer().allow(null).description('null if no response came'),
    error: Joi.string().allow(null).description('what went wrong, for people'),
    totalMs: Joi.number().integer().min(0).description('from the start to the end of the response'),
    responseBody: Joi.string().allow('').description('the first 1,024 bytes, echoed secrets masked'),
  }).example(example),
  example,
};

export function trialRoutes(deps: TrialDeps): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: '/api/webhooks/endpoints/try',
      operationId: 'tryWebhookEndpoint',
      audit: { action: 'webhook_endpoint.tried' },
      summary: 'Sends a test message to an endpoint that is not saved.',
      description: `The example of the event is sent once, with \`isTestEvent: true\` in its \`Payload\`, under the rules and the time limit of all webhooks, and signed with a secret of this message only. No delivery is stored. A tenant may do so ${testsPerHour.endpoint} times an hour.`,
      access: manage,
      body,
      answers: { 200: answer },
      problems: ['too_many_requests'],
      handle: async ({ principal: { tenantId }, body: asked, traceparent }) =>
        ok(await tryEndpoint(deps, { tenantId, traceparent, ...asked })),
    }),
  ];
}
