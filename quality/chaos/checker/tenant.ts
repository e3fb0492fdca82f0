import type { Attempt, Driver } from './driver';
import { randomSettings } from './settings-plans';

const pauseMs = 5_000;

/** Sets the tenant's webhook settings; gives a function that changes them for as long as the driver goes on. */
export async function keepTenantSettings(
  driver: Driver,
  tenantId: string,
  urlOf: (path: string) => string,
): Promise<() => Promise<void>> {
  const random = driver.randomFor('tenant');
  const next = (): Attempt => {
    const { json, value } = randomSettings(random, urlOf, driver.newMarker());
    return {
      entity: 'tenant',
      operation: 'change settings',
      caller: 'admin',
      method: 'PUT',
      path: '/api/tenant/webhook-settings',
      body: { webHookSettingsJson: json },
      entityId: tenantId,
      formId: null,
      marker: null,
      settings: value,
      events: ['tenant.webhook_settings_changed'],
    };
  };
  await driver.insist(next);
  return async () => {
    while (!driver.stopped) {
      await driver.pause(pauseMs);
      if (!driver.stopped) await driver.attempt(next());
    }
  };
}
