import type { FormView } from '@canvass/contracts';
import { changeOf } from '../records';
import type { Driver } from './driver';
import { pathOf } from './receivers';
import { settingsOf, type UrlOf } from './settings';
import { Respondent, type Held } from './submissions';

/**
 * Each form has a receiver of its own, so that the limit of requests in flight per address is never reached.
 */
const formCount = 10;

/**
 * Starts clients that complete submissions at a steady rate, instead of random changes. Returns submissions
 * that are started and not completed, in several lanes of the outbox.
 */
export async function startSteadyLoad(driver: Driver, urlOf: UrlOf, workers: number): Promise<Held[]> {
  const formIds: string[] = [];
  const respondent = new Respondent(driver, () => '', 0);
  for (let n = 0; n < formCount; n++) {
    const marker = driver.newMarker();
    const planOf = (name: string) => ({ isEnabled: name === 'SubmissionCompleted', paths: [pathOf(n)] });
    const { json, value: settings } = settingsOf(planOf, urlOf, marker);
    const request = ['POST', '/api/forms', { name: marker, webHookSettingsJson: json }] as const;
    const intent = changeOf('form', null, 'create', 'created', { marker, settings });
    const { body } = await driver.attempt<FormView>('admin', request, intent);
    if (body === undefined) throw new Error('a form was not created');
    formIds.push(body.id);
  }
  const started = formIds.slice(0, 4).map((id) => respondent.create(id, 'anonymous', {}));
  const held = (await Promise.all(started)).filter((each) => each !== null);
  for (let worker = 1; worker <= workers; worker++) {
    let turn = 0;
    driver.repeat(0, () =>
      respondent.create(formIds[turn++ % formCount]!, 'anonymous', { isComplete: true }),
    );
  }
  return held;
}
