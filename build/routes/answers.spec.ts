import type { DescribedAnswer, Endpoint } from '@canvass/service-kit';
import type Joi from 'joi';
import { endpointTables, services, type EndpointTable } from './endpoint-tables';

/**
 * Checks what the definitions say of answers, before any service answers: that they say it, and that their
 * examples are true.
 */

let tables: Map<string, EndpointTable>;

beforeAll(async () => {
  tables = await endpointTables();
});

const operations = (app: string): Endpoint[] => {
  const { public: open, internal } = tables.get(app)!;
  return [...open, ...internal];
};

const described = (app: string): [place: string, answer: DescribedAnswer][] =>
  operations(app).flatMap(({ operationId, answers }) =>
    Object.entries(answers ?? {}).map(([status, answer]): [string, DescribedAnswer] => [
      `${operationId} ${status}`,
      answer,
    ]),
  );

/** GETs of something that is no resource of its own, each with the reason why it has no ETag. */
const withoutETag = new Map([
  ['getSigningKeys', 'a key set, which verifiers keep for max-age'],
  ['getFormAccessKeys', 'a key set, which verifiers keep for max-age'],
  ['exportSubmitter', 'a file, created for each request'],
  ['getWebhookEndpointSecret', 'a secret, which must not be cached'],
  ['getWebhookSettingsVersion', 'between services, with keys in clear'],
  ['getCurrentWebhookSettings', 'between services, with keys in clear'],
  ['listRevocations', 'between services, from a position on'],
  ['searchService', 'between services'],
  ['downloadSubmissionExport', 'a file, whose export has an ETag'],
  ['getFormState', 'changes with time'],
  ['search', 'what several services found, which may be a part'],
  ['getSubmissionOverview', 'numbers of a range that ends now'],
  ['getFormSummary', 'numbers of a filter, which may be a sample'],
  ['listAnswerTexts', 'texts of several submissions and lists'],
  ['getWebhookOverview', 'numbers of a range that ends now'],
  ['getWebhookStats', 'numbers of a range that ends now'],
]);

it('makes no exception for what is not there', () => {
  const all = Object.keys(services).flatMap((app) => operations(app).map(({ operationId }) => operationId));
  expect([...withoutETag.keys()].filter((id) => !all.includes(id))).toEqual([]);
});

const isPage = (body: Joi.Schema): boolean => {
  const { keys = {} } = body.describe() as { keys?: object };
  return Object.hasOwn(keys, 'next') || Object.hasOwn(keys, 'totalRecords');
};

const faultOf = (schema: Joi.Schema, value: unknown): string | undefined =>
  schema.validate(value, { convert: false, abortEarly: false }).error?.message;

describe.each(Object.keys(services))('%s', (app) => {
  it('says what every operation answers when it succeeds', () => {
    const silent = operations(app).filter(({ answers }) => Object.keys(answers ?? {}).length === 0);
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('gives every GET of one resource an ETag', () => {
    const without = operations(app).filter(({ method, answers }) => {
      const { body, headers } = answers?.[200] ?? {};
      return method === 'get' && body !== undefined && !isPage(body) && headers?.['ETag'] === undefined;
    });
    expect(without.map(({ operationId }) => operationId).filter((id) => !withoutETag.has(id))).toEqual([]);
  });

  it('shows an example of every body', () => {
    const without = described(app).filter(([, { body, example }]) => body && example === undefined);
    expect(without.map(([place]) => place)).toEqual([]);
  });

  it('shows only examples that their schemas take', () => {
    const wrong = described(app).flatMap(([place, { body, example }]) => {
      const fault = body && faultOf(body, example);
      return fault === undefined ? [] : [`${place}: ${fault}`];
    });
    expect(wrong).toEqual([]);
  });

  it('takes no member in an answer that it does not name', () => {
    const open = described(app).filter(
      ([, { body, example }]) =>
        body?.type === 'object' && faultOf(body, { ...(example as object), unheardOf: 1 }) === undefined,
    );
    expect(open.map(([place]) => place)).toEqual([]);
  });
});
