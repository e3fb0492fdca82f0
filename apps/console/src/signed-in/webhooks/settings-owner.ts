import { taggedOf } from '../action';
import { api } from '../api';

/** Settings as they are stored. */
export interface StoredSettings {
  /** Null: there are none. */
  json: string | null;
  etag: string;
  /** The revision of the settings; null if it is not known or nothing was saved yet. */
  revision: string | null;
}

/** The tenant, or a form with settings of its own. */
export interface SettingsOwner {
  key: string;
  isForm: boolean;
  readOperation: string;
  saveOperation: string;
  read(signal?: AbortSignal): Promise<StoredSettings>;
  /** @throws {Fault} 412 if the settings are not those of `etag` */
  save(json: string | null, etag: string): Promise<unknown>;
}

export const tenantOwner: SettingsOwner = {
  key: 'tenant',
  isForm: false,
  readOperation: 'getTenantWebhookSettings',
  saveOperation: 'saveTenantWebhookSettings',
  async read(signal) {
    const { record, etag } = await taggedOf(
      api.GET('/api/tenant/webhook-settings', { signal: signal ?? null }),
    );
    const { webHookSettingsJson: json, revision } = record;
    return { json, etag, revision: revision === '0' ? null : revision };
  },
  save: (json, etag) =>
    api.PUT('/api/tenant/webhook-settings', {
      params: { header: { 'If-Match': etag } },
      body: { webHookSettingsJson: json },
    }),
};

export const formOwner = (formId: string): SettingsOwner => ({
  key: `form ${formId}`,
  isForm: true,
  readOperation: 'getForm',
  saveOperation: 'changeForm',
  async read(signal) {
    const init = { params: { path: { formId } }, signal: signal ?? null };
    const { record, etag } = await taggedOf(api.GET('/api/forms/{formId}', init));
    return { json: record.webHookSettingsJson, etag, revision: null };
  },
  save: (json, etag) =>
    api.PATCH('/api/forms/{formId}', {
      params: { path: { formId }, header: { 'If-Match': etag } },
      body: { webHookSettingsJson: json },
    }),
});
