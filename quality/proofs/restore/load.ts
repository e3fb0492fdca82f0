import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, dataOf, login, type Api } from '@canvass/testing';

const [lanes, pauseMs, changeEvery] = [4, 25, 8];

/** Completes submissions, and changes forms and webhook settings meanwhile. A failed request ends it. */
export class Load {
  /** Ids of acknowledged submissions, in order. */
  readonly acknowledged: string[] = [];
  private readonly forms: string[] = [];
  private running: Promise<void>[] = [];
  private isEnding = false;

  private constructor(
    private readonly gatewayUrl: string,
    private readonly admin: Api,
    private readonly hookUrl: string,
  ) {}

  static async on(
    gatewayUrl: string,
    { adminEmail, adminPassword }: { adminEmail: string; adminPassword: string },
    hookUrl: string,
  ): Promise<Load> {
    const load = new Load(
      gatewayUrl,
      apiOf(gatewayUrl, await login(gatewayUrl, adminEmail, adminPassword)),
      hookUrl,
    );
    for (let n = 0; n < lanes; n += 1) await load.createForm();
    return load;
  }

  start(): void {
    this.isEnding = false;
    this.running = this.forms.slice(0, lanes).map((form) => this.lane(form));
  }

  /** @throws if a request failed */
  async stop(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.running);
  }

  /** With webhook settings of its own. */
  async createForm(): Promise<string> {
    const body = { name: 'Restore', isEnabled: true, webHookSettingsJson: this.settings(0) };
    const { id } = await dataOf(this.admin.POST('/api/forms', { body }));
    this.forms.push(id);
    return id;
  }

  private async lane(formId: string): Promise<void> {
    const ofForm = { params: { path: { formId } } };
    const respondent = apiOf(this.gatewayUrl);
    for (let n = 1; !this.isEnding; n += 1) {
      const body = { isComplete: true, jsonData: JSON.stringify({ n }) };
      const { id } = await dataOf(respondent.POST('/api/forms/{formId}/submissions', { ...ofForm, body }));
      this.acknowledged.push(id);
      if (n % changeEvery === 0) {
        const changed = { name: `Restore ${n}`, webHookSettingsJson: this.settings(n) };
        await dataOf(this.admin.PATCH('/api/forms/{formId}', { ...ofForm, body: changed }));
      }
      await sleep(pauseMs);
    }
  }

  private settings(version: number): string {
    const hook = { Url: `${this.hookUrl}?version=${version}`, Authentication: { Type: 'None' } };
    return JSON.stringify({ Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: [hook] } } });
  }
}
