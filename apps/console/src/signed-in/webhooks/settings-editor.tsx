import { Button, Field, ForeignText, Panel } from '@canvass/console-ui';
import lists from '../list.module.css';
import styles from './desk.module.css';
import { eventNames, type EditedEndpoint, type EditedSettings, type EventName } from './settings';
import { useSettingsTexts } from './settings-texts';

/** Most endpoints of an event, as the API permits. */
const maxEndpoints = 20;

/** The place of a field in the body of the request, by which the API names it. */
const pathOf = (name: EventName, index: number, member: string): string =>
  `webHookSettingsJson.Events.${name}.WebHookEndpoints[${index}].${member}`;

export interface SettingsEditorProps {
  settings: EditedSettings;
  change(settings: EditedSettings): void;
  isReadOnly: boolean;
}

/** The endpoints of each event. */
export function SettingsEditor({ settings, change, isReadOnly }: SettingsEditorProps) {
  const own = useSettingsTexts();
  const changeEvent = (name: EventName, part: Partial<EditedSettings[EventName]>) =>
    change({ ...settings, [name]: { ...settings[name], ...part } });
  return eventNames.map((name) => {
    const { isEnabled, endpoints } = settings[name];
    const title = own.events[name] ?? name;
    const changeAt = (index: number, part: Partial<EditedEndpoint>) =>
      changeEvent(name, {
        endpoints: endpoints.map((endpoint, at) => (at === index ? { ...endpoint, ...part } : endpoint)),
      });
    return (
      <Panel
        key={name}
        title={title}
        tools={
          endpoints.length > 0 && (
            <label>
              <input
                type="checkbox"
                checked={isEnabled}
                disabled={isReadOnly}
                onChange={() => changeEvent(name, { isEnabled: !isEnabled })}
              />{' '}
              {own.isSent}
            </label>
          )
        }
      >
        <div className={styles.form}>
          {endpoints.map((endpoint, index) => (
            // The API, too, knows endpoints by their place in the list.
            <fieldset key={index} className={styles.endpoint} disabled={isReadOnly} aria-label={endpoint.url}>
              <Field
                name={pathOf(name, index, 'Url')}
                label={own.url}
                type="url"
                required
                value={endpoint.url}
                onChange={(event) => changeAt(index, { url: event.target.value })}
              />
              <Field
                name={pathOf(name, index, 'Authentication.ApiKeyHeader')}
                label={own.header}
                value={endpoint.header}
                onChange={(event) => changeAt(index, { header: event.target.value })}
              />
              <Field
                name={pathOf(name, index, 'Authentication.ApiKey')}
                label={own.apiKey}
                hint={own.apiKeyHint}
                autoComplete="off"
                disabled={endpoint.header === ''}
                value={endpoint.apiKey}
                onChange={(event) => changeAt(index, { apiKey: event.target.value })}
              />
              <Button
                aria-label={own.remove(endpoint.url)}
                onClick={() => changeEvent(name, { endpoints: endpoints.filter((_, at) => at !== index) })}
              >
                ✕
              </Button>
            </fieldset>
          ))}
          {!isReadOnly && endpoints.length < maxEndpoints && (
            <Button
              aria-label={own.add(title)}
              onClick={() =>
                changeEvent(name, { endpoints: [...endpoints, { url: '', header: '', apiKey: '' }] })
              }
            >
              + {own.endpoint}
            </Button>
          )}
        </div>
      </Panel>
    );
  });
}

/** Says who is notified of what, in sentences. */
export function SettingsSummary({ settings }: { settings: EditedSettings }) {
  const own = useSettingsTexts();
  const sent = eventNames.filter((name) => settings[name].isEnabled && settings[name].endpoints.length > 0);
  return (
    <Panel title={own.summary}>
      {sent.length === 0 ? (
        <p className={styles.note}>{own.nothing}</p>
      ) : (
        <dl className={lists.facts}>
          {sent.map((name) => (
            <div key={name} className={styles.summary}>
              <dt>{own.events[name]}</dt>
              <dd>
                {settings[name].endpoints.map(({ url }, index) => (
                  <div key={index}>
                    <ForeignText>{url}</ForeignText>
                  </div>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
