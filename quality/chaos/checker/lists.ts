import type { Random } from '@canvass/testing';
import type { Intent } from '../records';
import type { Driver } from './driver';

const listCount = 4;
const pauseMs = 400;
/** Less than the service allows; an add without an answer may have been made. */
const mostLocales = 64;

/** Creates data lists and changes them continuously. */
export class DataLists {
  readonly ids: string[] = [];
  /**
   * Locales that each list certainly has: repeating an add or removing an absent one would change nothing.
   */
  private readonly locales = new Map<string, string[]>();
  private lastLocale = 0;

  constructor(private readonly driver: Driver) {}

  async prepare(): Promise<void> {
    while (this.ids.length < listCount) {
      const id = await this.create();
      if (id !== undefined) this.ids.push(id);
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
    const someValues = Array.from({ length: random.between(5, 60) }, (_, n) => `v${n}`);
    if (draw < 0.45) await this.import(id, 'import', someValues);
    // Refused as a whole.
    else if (draw < 0.55) await this.import(id, 'import a value twice', ['v1', 'v1']);
    else if (draw < 0.7) await this.describe(id);
    else if (draw < 0.88) await this.changeLocales(id, draw < 0.8);
    else await this.createAndDelete();
  }

  private async import(id: string, operation: string, values: string[]): Promise<void> {
    const marker = this.driver.newMarker();
    const items = [marker, ...values].map((value) => ({ value, labels: { default: `Label of ${value}` } }));
    const intent = { ...changeOf(id, operation, 'datalist.imported'), marker };
    await this.driver.attempt('admin', intent, (api) =>
      api.PUT('/api/data-lists/{id}/import', { params: { path: { id } }, body: { format: 'json', items } }),
    );
  }

  private async describe(id: string): Promise<void> {
    const body = { description: this.driver.newMarker() };
    await this.driver.attempt('admin', changeOf(id, 'describe', 'datalist.updated'), (api) =>
      api.PATCH('/api/data-lists/{id}', { params: { path: { id } }, body }),
    );
  }

  private async changeLocales(id: string, adds: boolean): Promise<void> {
    const present = this.locales.get(id) ?? [];
    this.locales.set(id, present);
    if (present.length > 0 && (!adds || present.length >= mostLocales)) {
      const params = { path: { id, locale: present.shift()! } };
      await this.driver.attempt('admin', changeOf(id, 'remove a locale', 'datalist.updated'), (api) =>
        api.DELETE('/api/data-lists/{id}/locales/{locale}', { params }),
      );
      return;
    }
    const locale = `aa-${(this.lastLocale += 1).toString(36)}`;
    const { outcome } = await this.driver.attempt(
      'admin',
      changeOf(id, 'add a locale', 'datalist.updated'),
      (api) => api.POST('/api/data-lists/{id}/locales', { params: { path: { id } }, body: { locale } }),
    );
    if (outcome === 'acknowledged') present.push(locale);
  }

  private async create(): Promise<string | undefined> {
    const body = { name: this.driver.newMarker() };
    const intent: Intent = { entity: 'datalist', operation: 'create', events: ['datalist.created'] };
    return (await this.driver.attempt('admin', intent, (api) => api.POST('/api/data-lists', { body }))).body
      ?.id;
  }

  private async createAndDelete(): Promise<void> {
    const id = await this.create();
    if (id === undefined) return;
    const intent = { ...changeOf(id, 'delete', 'datalist.deleted'), deletes: true, revision: '2' };
    await this.driver.attempt('admin', intent, (api) =>
      api.DELETE('/api/data-lists/{id}', { params: { path: { id } } }),
    );
  }
}

const changeOf = (id: string, operation: string, event: string): Intent => ({
  entity: 'datalist',
  operation,
  key: `datalist ${id}`,
  events: [event],
});
