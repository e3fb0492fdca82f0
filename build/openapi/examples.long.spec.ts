/** Each example of the documents is valid for its schema. */
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import { asyncApiDocument } from '../asyncapi';
import { publicDocument } from './public-document';
import { webhookDocumentOf } from './webhooks';

interface Example {
  /** JSON pointer of the schema. */
  schema: string;
  /** JSON pointer of the example. */
  at: string;
  value: unknown;
}

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** An example, or the one that it refers to. */
function exampleOf(example: Node, root: Node): Node {
  const { $ref } = example;
  if (typeof $ref !== 'string') return example;
  return $ref
    .slice(2)
    .split('/')
    .reduce((found, name) => found[name.replaceAll('~1', '/').replaceAll('~0', '~')] as Node, root);
}

/** The examples of media types, parameters, headers, messages and schemas. */
function* examplesIn(root: Node, node: unknown = root, at = ''): Generator<Example> {
  if (!isNode(node)) return;
  const named = isNode(node['examples']) && !Array.isArray(node['examples']) ? node['examples'] : {};
  if (isNode(node['schema'])) {
    const schema = `${at}/schema`;
    if (Object.hasOwn(node, 'example')) yield { schema, at: `${at}/example`, value: node['example'] };
    for (const [name, example] of Object.entries(named))
      yield {
        schema,
        at: `${at}/examples/${escaped(name)}`,
        value: exampleOf(example as Node, root)['value'],
      };
  }
  if (isNode(node['payload']) && Array.isArray(node['examples']))
    for (const [n, example] of (node['examples'] as Node[]).entries())
      for (const part of ['payload', 'headers'].filter((name) => name in example))
        yield { schema: `${at}/${part}`, at: `${at}/examples/${n}/${part}`, value: example[part] };
  else if (Array.isArray(node['examples']))
    for (const [n, value] of node['examples'].entries())
      yield { schema: at, at: `${at}/examples/${n}`, value };
  for (const [name, child] of Object.entries(node))
    if (!['example', 'examples', 'enum', 'const'].includes(name))
      yield* examplesIn(root, child, `${at}/${escaped(name)}`);
}

/** The examples that their schemas refuse, with the reason. */
function refusedIn(document: Node): { count: number; refused: string[] } {
  const ajv = addFormats(new Ajv2020({ strict: false, validateSchema: false }));
  ajv.addSchema(document, 'document');
  const examples = [...examplesIn(document)];
  const refused = examples.flatMap(({ schema, at, value }) =>
    ajv.validate({ $ref: `document#${encodeURI(schema)}` }, value)
      ? []
      : [`${at}: ${ajv.errorsText()} ${JSON.stringify(value).slice(0, 200)}`],
  );
  return { count: examples.length, refused };
}

it.each([
  ['of operations', () => publicDocument(), 300],
  ['of webhooks', () => webhookDocumentOf('0.0.0'), 8],
  ['of events', () => asyncApiDocument('0.0.0'), 30],
])('examples %s are valid', async (_what, documentOf, least) => {
  const { count, refused } = refusedIn((await documentOf()) as unknown as Node);
  expect(refused).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(least);
});

it('an example that its schema refuses is found', () => {
  const media = {
    schema: { type: 'string', examples: [1] },
    example: 2,
    examples: { odd: { value: 3 }, a: { $ref: '#/components/examples/shared' } },
  };
  const components = { examples: { shared: { value: 4 } } };
  const message = { payload: { type: 'object' }, examples: [{ payload: [] }] };
  expect(refusedIn({ components, media, message }).refused.map((line) => line.split(':')[0])).toEqual([
    '/media/example',
    '/media/examples/odd',
    '/media/examples/a',
    '/media/schema/examples/0',
    '/message/examples/0/payload',
  ]);
});
