import type { FormView } from '@canvass/contracts';
import type { Random } from '@canvass/testing';
import { changeOf } from '../records';
import type { Driver } from './driver';
import { randomFormSettings } from './settings';

/** A form that only one worker changes. */
interface Form {
  id: string;
  isEnabled: boolean;
  /** An answer about the form was lost, so its state is not certain. */
  uncertain: boolean;
}

const formsPerWorker = 6;
/** Share of forms that take one submission of each identified respondent. */
const gatedShare = 0.15;
/** Between two changes of one worker. */
const pauseMs = 120;

/** Creates forms and changes them continuously, while respondents answer them. */
export class Forms {
  private readonly ids = new Set<string>();

  constructor(
    private readonly driver: Driver,
    private readonly urls: readonly string[],
    private readonly listIds: readonly string[],
  ) {}

  /** Returns the id of one of the forms, enabled or not. */
  pick(random: Random): string {
    return random.pick([...this.ids]);
  }

  /** Resolves when the forms of one worker exist, which changes them until the driver stops. */
  async start(worker: number): Promise<void> {
    const { driver } = this;
    const random = driver.randomFor(`forms/${worker}`);
    const mine: Form[] = [];
    while (mine.length < formsPerWorker) mine.push(await driver.insist(() => this.create(random)));
    driver.repeat(pauseMs, () => this.changeOne(mine, random));
  }

  private async changeOne(mine: Form[], random: Random): Promise<void> {
    const disabled = mine.find((form) => !form.isEnabled);
    const form = disabled ?? random.pick(mine);
    const draw = random.next();
    if (disabled || draw < 0.1) await this.change(form, { isEnabled: !form.isEnabled });
    else if (draw < 0.6) await this.change(form, {});
    else if (draw < 0.72) {
      const json = randomFormSettings(random, this.urls, this.driver.newMarker());
      await this.change(form, { webHookSettingsJson: json });
    } else if (draw < 0.84) await this.change(form, { dataListIds: this.someLists(random) });
    // Refused: the value is not a boolean.
    else if (draw < 0.92) await this.change(form, { isPublic: 'perhaps' });
    else await this.replace(mine, random);
  }

  private async create(random: Random): Promise<Form | null> {
    const { driver } = this;
    const webHookSettingsJson = randomFormSettings(random, this.urls, driver.newMarker());
    const limitOnePerUser = this.ids.size === 0 || random.chance(gatedShare);
    const marker = driver.newMarker();
    const body = { name: marker, webHookSettingsJson, limitOnePerUser, dataListIds: this.someLists(random) };
    const intent = changeOf('form', null, 'create', 'created', { marker });
    const id = (await driver.attempt<FormView>('admin', ['POST', '/api/forms', body], intent)).body?.id;
    if (id === undefined) return null;
    this.ids.add(id);
    return { id, isEnabled: true, uncertain: false };
  }

  private async change(form: Form, members: object): Promise<void> {
    const marker = this.driver.newMarker();
    const intent = changeOf('form', form.id, `change ${Object.keys(members).join() || 'name'}`, 'updated', {
      marker,
    });
    const toggles = 'isEnabled' in members && !form.uncertain;
    const events = toggles ? ['form.enabled_state_changed', ...intent.events] : intent.events;
    const request = ['PATCH', `/api/forms/${form.id}`, { name: marker, ...members }] as const;
    const { outcome, body } = await this.driver.attempt<FormView>('admin', request, { ...intent, events });
    if (outcome === 'unknown') form.uncertain = true;
    if (body !== undefined) form.isEnabled = body.isEnabled;
  }

  /** Creates a form and deletes an old one with all its submissions. */
  private async replace(mine: Form[], random: Random): Promise<void> {
    const created = await this.create(random);
    if (!created) return;
    const { id } = mine.shift()!;
    mine.push(created);
    this.ids.delete(id);
    const intent = changeOf('form', id, 'delete', 'deleted', { deletes: true });
    await this.driver.attempt('admin', ['DELETE', `/api/forms/${id}`], intent);
  }

  private someLists(random: Random): string[] {
    return random.shuffled(this.listIds).slice(0, random.between(0, 2));
  }
}
