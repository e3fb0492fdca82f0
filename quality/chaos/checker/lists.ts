import { changeOf, type Intent } from '../records';
import type { Driver } from './driver';

const listCount = 4;
const pauseMs = 400;
/** Less than the service allows; an add without an answer may have been made. */
const maxLocales = 64;

/** Creates data lists, changes them until the driver stops, and returns their ids. */
export async function startLists(driver: Driver): Promise<string[]> {
  const random = driver.randomFor('lists');
  const ids: string[] = [];
  /** Locales that a list certainly has: repeating an add or removing an absent one would change nothing. */
  const locales = new Map<string, string[]>();
  let lastLocale = 0;

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
  const changeLocales = async (id: string, adds: boolean) => {
    const present = locales.get(id) ?? [];
    locales.set(id, present);
    if (present.length > 0 && (!adds || present.length >= maxLocales)) {
      const intent = changeOf('datalist', id, 'remove a locale', 'updated');
      await change(id, intent, 'DELETE', `/locales/${present.shift()}`);
    } else {
      const locale = `aa-${(lastLocale += 1).toString(36)}`;
      const intent = changeOf('datalist', id, 'add a locale', 'updated');
      const { outcome } = await change(id, intent, 'POST', '/locales', { locale });
      if (outcome === 'acknowledged') present.push(locale);
    }
  };
  const createAndDelete = async () => {
    const id = await create();
    if (id === null) return;
    await change(
      id,
      changeOf('datalist', id, 'delete', 'deleted', { deletes: true, revision: '2' }),
      'DELETE',
    );
  };

  while (ids.length < listCount) ids.push(await driver.insist(create));
  driver.repeat(pauseMs, async () => {
    const id = random.pick(ids);
    const draw = random.next();
    const someValues = Array.from({ length: random.between(5, 60) }, (_, n) => `v${n}`);
    if (draw < 0.45) await fill(id, 'import', someValues);
    // Refused as a whole.
    else if (draw < 0.55) await fill(id, 'import a value twice', ['v1', 'v1']);
    else if (draw < 0.7) {
      const intent = changeOf('datalist', id, 'describe', 'updated');
      await change(id, intent, 'PATCH', '', { description: driver.newMarker() });
    } else if (draw < 0.88) await changeLocales(id, draw < 0.8);
    else await createAndDelete();
  });
  return ids;
}
