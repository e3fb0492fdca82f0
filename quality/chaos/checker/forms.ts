import type { Random } from '@canvass/testing';
import type { Attempt, Driver } from './driver';
import { randomOverride } from './settings-plans';

/** A form of one worker; nobody else changes it. */
interface Form {
  id: string;
  isEnabled: boolean;
  /** An answer about it was lost: what it is like is only half known. */
  doubtful: boolean;
}

export interface FormsOptions {
  driver: Driver;
  urlOf(path: string): string;
  /** Ids of data lists that forms may name. */
  lists(): readonly string[];
}

const formsPerWorker = 6;
/** Between two changes of one worker. */
const pauseMs = 120;

/** Keeps a few forms alive and changes them all the time, while respondents answer them. */
export class Forms {
  private readonly known = new Map<string, Form>();

  constructor(private readonly options: FormsOptions) {}

  /** One of the forms, enabled or not. */
  pick(random: Random): string | null {
    const ids = [...this.known.keys()];
    return ids.length === 0 ? null : random.pick(ids);
  }

  /** Makes the forms of one worker; gives a function that changes them for as long as the driver goes on. */
  async prepare(worker: number): Promise<() => Promise<void>> {
    const { driver } = this.options;
    const random = driver.randomFor(`forms/${worker}`);
    const mine: Form[] = [];
    while (mine.length < formsPerWorker) {
      const form = await this.create(random);
      if (form) mine.push(form);
      else await driver.pause(200);
    }
    return async () => {
      while (!driver.stopped) {
        await this.changeOne(mine, random);
        await driver.pause(pauseMs);
      }
    };
  }

  private async changeOne(mine: Form[], random: Random): Promise<void> {
    const disabled = mine.find((form) => !form.isEnabled);
    const form = disabled ?? random.pick(mine);
    const draw = random.next();
    if (disabled || draw < 0.1) await this.patch(form, { isEnabled: !form.isEnabled });
    else if (draw < 0.6) await this.patch(form, {});
    else if (draw < 0.72) await this.changeSettings(form, random);
    else if (draw < 0.84) await this.patch(form, { dataListIds: this.someLists(random) });
    else if (draw < 0.92) await this.patch(form, { isPublic: 'perhaps' });
    else await this.replace(mine, random);
  }

  private async create(random: Random): Promise<Form | null> {
    const { driver, urlOf } = this.options;
    const marker = driver.newMarker();
    const { json, value } = randomOverride(random, urlOf, marker);
    const reply = await driver.attempt({
      entity: 'form',
      operation: 'create',
      caller: 'admin',
      method: 'POST',
      path: '/api/forms',
      body: { name: marker, dataListIds: this.someLists(random), webHookSettingsJson: json },
      entityId: null,
      formId: null,
      marker,
      events: ['form.created'],
      settings: value,
    });
    const id = reply.body?.['id'];
    if (reply.outcome !== 'acknowledged' || typeof id !== 'string') return null;
    const form = { id, isEnabled: true, doubtful: false };
    this.known.set(id, form);
    return form;
  }

  private async patch(
    form: Form,
    members: Record<string, unknown>,
    more: Partial<Attempt> = {},
  ): Promise<void> {
    const { driver } = this.options;
    const marker = driver.newMarker();
    const toggles = typeof members['isEnabled'] === 'boolean' && !form.doubtful;
    const reply = await driver.attempt({
      entity: 'form',
      operation: `change ${Object.keys(members).join() || 'name'}`,
      caller: 'admin',
      method: 'PATCH',
      path: `/api/forms/${form.id}`,
      body: { name: marker, ...members },
      entityId: form.id,
      formId: form.id,
      marker,
      events: toggles ? ['form.enabled_state_changed', 'form.updated'] : ['form.updated'],
      ...more,
    });
    if (reply.outcome === 'unknown') form.doubtful = true;
    const isEnabled = reply.body?.['isEnabled'];
    if (reply.outcome === 'acknowledged' && typeof isEnabled === 'boolean') form.isEnabled = isEnabled;
  }

  private async changeSettings(form: Form, random: Random): Promise<void> {
    const { driver, urlOf } = this.options;
    const { json, value } = randomOverride(random, urlOf, driver.newMarker());
    await this.patch(form, { webHookSettingsJson: json }, { settings: value });
  }

  /** A new form in the place of one that is deleted with all its submissions. */
  private async replace(mine: Form[], random: Random): Promise<void> {
    const { driver } = this.options;
    const made = await this.create(random);
    if (!made) return;
    const old = mine.shift()!;
    mine.push(made);
    this.known.delete(old.id);
    await driver.attempt({
      entity: 'form',
      operation: 'delete',
      caller: 'admin',
      method: 'DELETE',
      path: `/api/forms/${old.id}`,
      entityId: old.id,
      formId: old.id,
      marker: null,
      events: ['form.deleted'],
      deletes: true,
    });
  }

  private someLists(random: Random): string[] {
    return random.shuffled(this.options.lists()).slice(0, random.between(0, 2));
  }
}
