import { changeOf, type Intent } from '../records';
import type { Driver } from './driver';

const listCount = 4;
const pauseMs = 400;

/** Creates data lists, changes them until the driver stops, and returns their ids. */
export async function startLists(driver: Driver): Promise<string[]> {
  const random = driver.randomFor('lists');
  const ids: string[] = [];

  const create = async (): Promise<string | null> => {
    const request = ['POST', '/api/data-lists', { name: driver.newMarker() }] as const;
    const intent = changeOf('datalist', null, 'create', 'created');
    return (await driver.attempt<{ id: string }>('admin', request, intent)).body?.id ?? null;
  };
  const change = (id: string, intent: Intent, method: string, path = '', body?: object) =>
    driver.attempt('admin', [method, `/api/data-lists/${id}${path}`, body], intent);
  const fill = (id: string, operation: string, values: string[]) => {
    const marker = driver.newMarker();
    const items = [marker, ...values].map((value) => ({ value, labels: { default: `Label of ${value}` } }));
    const intent = changeOf('datalist', id, operation, 'imported', { marker });
    return change(id, intent, 'PUT', '/import', { format: 'json', items });
  };

  while (ids.length < listCount) ids.push(await driver.insist(create));
  driver.repeat(pauseMs, async () => {
    const id = random.pick(ids);
    const draw = random.next();
    if (draw < 0.5)
      await fill(
        id,
        'import',
        Array.from({ length: random.between(5, 60) }, (_, n) => `v${n}`),
      );
    // Refused as a whole.
    else if (draw < 0.6) await fill(id, 'import a value twice', ['v1', 'v1']);
    else if (draw < 0.85) {
      const intent = changeOf('datalist', id, 'describe', 'updated');
      await change(id, intent, 'PATCH', '', { description: driver.newMarker() });
    } else {
      const created = await create();
      const deletion = { deletes: true, revision: '2' };
      if (created !== null)
        await change(created, changeOf('datalist', created, 'delete', 'deleted', deletion), 'DELETE');
    }
  });
  return ids;
}
