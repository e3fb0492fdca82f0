import type { Intent } from '../records';
import type { Driver } from './driver';
import { pathOf } from './receivers';
import { settingsOf, type UrlOf } from './settings';
import { Respondent, type Held } from './submissions';

/**
 * Each form has a receiver of its own, so that the limit of requests in flight per address is never reached.
 */
const formCount = 10;

/** Completed submissions at a steady rate, instead of random changes. */
export class SteadyLoad {
  private readonly formIds: string[] = [];
  private readonly respondent: Respondent;

  constructor(private readonly driver: Driver) {
    this.respondent = new Respondent(driver, { pick: () => null }, 0);
  }

  /**
   * Creates the forms and returns submissions that are started and not completed, in several lanes of the
   * outbox.
   */
  async prepare(urlOf: UrlOf): Promise<Held[]> {
    const { driver, formIds, respondent } = this;
    for (let n = 0; n < formCount; n++) {
      const marker = driver.newMarker();
      const planOf = (name: string) => ({ isEnabled: name === 'SubmissionCompleted', paths: [pathOf(n)] });
      const { json, value: settings } = settingsOf(planOf, urlOf, marker);
      const intent: Intent = {
        entity: 'form',
        operation: 'create',
        marker,
        events: ['form.created'],
        settings,
      };
      const body = { name: marker, webHookSettingsJson: json };
      const reply = await driver.attempt('admin', intent, (api) => api.POST('/api/forms', { body }));
      if (reply.body === undefined) throw new Error('a form was not created');
      formIds.push(reply.body.id);
    }
    const started = formIds.slice(0, 4).map((id) => respondent.create(id, 'anonymous', {}));
    return (await Promise.all(started)).filter((held) => held !== null);
  }

  /** One client. */
  async run(): Promise<void> {
    for (let turn = 0; !this.driver.stopped; turn++)
      await this.respondent.create(this.formIds[turn % formCount]!, 'anonymous', { isComplete: true });
  }
}
