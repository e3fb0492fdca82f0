import type { Random } from '@canvass/testing';
import type { Driver } from './driver';

const listCount = 4;
const pauseMs = 400;
/** Less than the service takes; an add whose outcome is unknown may have been made. */
const mostLocales = 64;

/** Keeps a few data lists and imports into them all the time. */
export class DataLists {
  readonly ids: string[] = [];
  /** Locales that each list has for certain: repeating an add, or removing an absent one, would be no change. */
  private readonly locales = new Map<string, string[]>();
  private lastLocale = 0;

  constructor(private readonly driver: Driver) {}

  async prepare(): Promise<void> {
    while (this.ids.length < listCount) {
      const id = await this.create();
      if (id !== null) this.ids.push(id);
      else await this.driver.pause(200);
    }
  }

  async run(): Promise<void> {
    const random = this.driver.randomFor('lists');
    while (!this.driver.stopped) {
      await this.changeOne(random);
      await this.driver.pause(pauseMs);
    }
  }

  private async changeOne(random: Random): Promise<void> {
    const id = random.pick(this.ids);
    const draw = random.next();
    if (draw < 0.45) await this.import(id, random.between(5, 60));
    else if (draw < 0.55) await this.importTwice(id);
    else if (draw < 0.7)
      await this.update(id, 'describe', 'PATCH', '', { description: this.driver.newMarker() });
    else if (draw < 0.88) await this.changeLocales(id, draw < 0.8);
    else await this.createAndDelete();
  }

  private async changeLocales(id: string, adds: boolean): Promise<void> {
    const present = this.locales.get(id) ?? [];
    this.locales.set(id, present);
    if (present.length > 0 && (!adds || present.length >= mostLocales)) {
      await this.update(id, 'remove a locale', 'DELETE', `/locales/${present.shift()}`);
      return;
    }
    const locale = `aa-${(this.lastLocale += 1).toString(36)}`;
    const outcome = await this.update(id, 'add a locale', 'POST', '/locales', { locale });
    if (outcome === 'acknowledged') present.push(locale);
  }

  private async import(id: string, count: number): Promise<void> {
    const marker = this.driver.newMarker();
    await this.importItems(id, 'import', marker, [
      marker,
      ...Array.from({ length: count }, (_, n) => `v${n}`),
    ]);
  }

  /** One value twice: refused as a whole. */
  private async importTwice(id: string): Promise<void> {
    const marker = this.driver.newMarker();
    await this.importItems(id, 'import a value twice', marker, [marker, 'v1', 'v1']);
  }

  private async importItems(id: string, operation: string, marker: string, values: string[]): Promise<void> {
    const items = values.map((value) => ({ value, labels: { default: `Label of ${value}` } }));
    await this.driver.attempt({
      entity: 'datalist',
      operation,
      caller: 'admin',
      method: 'PUT',
      path: `/api/data-lists/${id}/import`,
      body: { format: 'json', items },
      entityId: id,
      formId: null,
      marker,
      events: ['datalist.imported'],
    });
  }

  private async update(
    id: string,
    operation: string,
    method: 'PATCH' | 'POST' | 'DELETE',
    under: string,
    body?: unknown,
  ): Promise<string> {
    const { outcome } = await this.driver.attempt({
      entity: 'datalist',
      operation,
      caller: 'admin',
      method,
      path: `/api/data-lists/${id}${under}`,
      body,
      entityId: id,
      formId: null,
      marker: null,
      events: ['datalist.updated'],
    });
    return outcome;
  }

  private async create(): Promise<string | null> {
    const name = this.driver.newMarker();
    const reply = await this.driver.attempt({
      entity: 'datalist',
      operation: 'create',
      caller: 'admin',
      method: 'POST',
      path: '/api/data-lists',
      body: { name },
      entityId: null,
      formId: null,
      marker: null,
      events: ['datalist.created'],
    });
    return reply.outcome === 'acknowledged' ? String(reply.body?.['id']) : null;
  }

  private async createAndDelete(): Promise<void> {
    const id = await this.create();
    if (id === null) return;
    await this.driver.attempt({
      entity: 'datalist',
      operation: 'delete',
      caller: 'admin',
      method: 'DELETE',
      path: `/api/data-lists/${id}`,
      entityId: id,
      formId: null,
      marker: null,
      events: ['datalist.deleted'],
      deletes: true,
      revision: '2',
    });
  }
}
