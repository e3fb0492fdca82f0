import type { Random } from '@canvass/testing';
import type { Intent } from '../records';
import type { Driver } from './driver';
import { randomFormSettings, type UrlOf } from './settings';

/** A form that only one worker changes. */
interface Form {
  id: string;
  isEnabled: boolean;
  /** An answer about the form was lost, so its state is not certain. */
  uncertain: boolean;
}

interface FormChange {
  dataListIds?: string[];
  isEnabled?: boolean;
  isPublic?: boolean;
  webHookSettingsJson?: string | null;
}

const formsPerWorker = 6;
/** Between two changes of one worker. */
const pauseMs = 120;

/** Creates forms and changes them continuously, while respondents answer them. */
export class Forms {
  private readonly known = new Map<string, Form>();

  constructor(
    private readonly driver: Driver,
    private readonly urlOf: UrlOf,
    private readonly listIds: readonly string[],
  ) {}

  /** Returns the id of one of the forms, enabled or not. */
  pick(random: Random): string | null {
    const ids = [...this.known.keys()];
    return ids.length === 0 ? null : random.pick(ids);
  }

  /** Creates the forms of one worker. The returned function changes them until the driver stops. */
  async prepare(worker: number): Promise<() => Promise<void>> {
    const { driver } = this;
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
    if (disabled || draw < 0.1) await this.change(form, { isEnabled: !form.isEnabled });
    else if (draw < 0.6) await this.change(form, {});
    else if (draw < 0.72) {
      const { json, value } = randomFormSettings(random, this.urlOf, this.driver.newMarker());
      await this.change(form, { webHookSettingsJson: json }, { settings: value });
    } else if (draw < 0.84) await this.change(form, { dataListIds: this.someLists(random) });
    // Refused: the value is not a boolean.
    else if (draw < 0.92) await this.change(form, { isPublic: 'perhaps' as never });
    else await this.replace(mine, random);
  }

  private async create(random: Random): Promise<Form | null> {
    const { driver } = this;
    const marker = driver.newMarker();
    const { json, value } = randomFormSettings(random, this.urlOf, marker);
    const body = { name: marker, dataListIds: this.someLists(random), webHookSettingsJson: json };
    const intent: Intent = {
      entity: 'form',
      operation: 'create',
      marker,
      events: ['form.created'],
      settings: value,
    };
    const reply = await driver.attempt('admin', intent, (api) => api.POST('/api/forms', { body }));
    if (reply.body === undefined) return null;
    const form = { id: reply.body.id, isEnabled: true, uncertain: false };
    this.known.set(form.id, form);
    return form;
  }

  private async change(form: Form, members: FormChange, more: Partial<Intent> = {}): Promise<void> {
    const marker = this.driver.newMarker();
    const toggles = members.isEnabled !== undefined && !form.uncertain;
    const intent: Intent = {
      entity: 'form',
      operation: `change ${Object.keys(members).join() || 'name'}`,
      key: `form ${form.id}`,
      formId: form.id,
      marker,
      events: toggles ? ['form.enabled_state_changed', 'form.updated'] : ['form.updated'],
      ...more,
    };
    const params = { path: { formId: form.id } };
    const { outcome, body } = await this.driver.attempt('admin', intent, (api) =>
      api.PATCH('/api/forms/{formId}', { params, body: { name: marker, ...members } }),
    );
    if (outcome === 'unknown') form.uncertain = true;
    if (body !== undefined) form.isEnabled = body.isEnabled;
  }

  /** Creates a form and deletes an old one with all its submissions. */
  private async replace(mine: Form[], random: Random): Promise<void> {
    const created = await this.create(random);
    if (!created) return;
    const { id } = mine.shift()!;
    mine.push(created);
    this.known.delete(id);
    await this.driver.attempt(
      'admin',
      {
        entity: 'form',
        operation: 'delete',
        key: `form ${id}`,
        formId: id,
        events: ['form.deleted'],
        deletes: true,
      },
      (api) => api.DELETE('/api/forms/{formId}', { params: { path: { formId: id } } }),
    );
  }

  private someLists(random: Random): string[] {
    return random.shuffled(this.listIds).slice(0, random.between(0, 2));
  }
}
