import { createSql, createValues, type BindCreate } from './create-values';

it('the bare create has a value for each parameter of the statement of the service', async () => {
  const { createAnonymous } = (await import(createSql)) as { createAnonymous: BindCreate };
  const values = createValues({ formId: '1', jsonData: '{}', hash: Buffer.alloc(32) });
  expect(createAnonymous(values).values).toHaveLength(Object.keys(values).length);
});
