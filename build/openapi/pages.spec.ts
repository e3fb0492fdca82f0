import { publicDocument } from './public-document';

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
}

interface Operation {
  operationId: string;
  parameters?: { name?: string }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const numbered = ['page', 'pageSize', 'totalRecords', 'totalPages', 'items'];
const byKey = ['items', 'next', 'previous', 'total', 'totalIsExact'];

/** Operations with the members of a page that they answer, and with their parameters of pages. */
async function pages(): Promise<[operation: string, members: string[], parameters: string[]][]> {
  const { paths, components } = await publicDocument();
  const schemas = (components as { schemas: Record<string, Schema> }).schemas;
  const all = Object.values(paths).flatMap((item) => Object.values(item) as unknown as Operation[]);
  return all.flatMap(({ operationId, parameters = [], responses }) => {
    const schema = responses['200']?.content?.['application/json']?.schema ?? {};
    const { properties = {} } = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!;
    const shape = [...new Set([...numbered, ...byKey])].filter((name) => Object.hasOwn(properties, name));
    const taken = ['page', 'pageSize', 'limit', 'after', 'before', 'total'];
    const names = taken.filter((name) => parameters.some((each) => each.name === name));
    return shape.length > 1 || names.length > 0 ? [[operationId, shape.sort(), names]] : [];
  });
}

it('has two kinds of pages, with numbers only for data lists, their items and the search of a form', async () => {
  const found = await pages();
  const withNumbers = found.filter(([, , parameters]) => parameters.includes('page'));
  expect(withNumbers.map(([operation]) => operation).sort()).toEqual([
    'listDataListItems',
    'listDataLists',
    'searchDataList',
  ]);
  for (const [operation, members, parameters] of found)
    expect([operation, members, parameters]).toEqual(
      withNumbers.some(([other]) => other === operation)
        ? [operation, [...numbered].sort(), ['page', 'pageSize']]
        : [operation, [...byKey].sort(), ['limit', 'after', 'before', 'total']],
    );
  expect(found.length).toBeGreaterThan(20);
});
