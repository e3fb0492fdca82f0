import { Badge, Button, ForeignText, Panel } from '@canvass/console-ui';
import { useRef } from 'react';
import { Check, withOrWithout } from '../check';
import editor from '../editor.module.css';
import lists from '../list.module.css';
import styles from './desk.module.css';
import { EndpointEditor } from './settings-endpoint';
import {
  endpointsOf,
  eventNames,
  storedOf,
  withNewEndpoint,
  type EditedEndpoint,
  type EditedSettings,
} from './settings';
import { useSettingsTexts } from './settings-texts';

export interface SettingsEditorProps {
  settings: EditedSettings;
  change(settings: EditedSettings): void;
  /** Keys of the endpoints that are edited. */
  open: readonly number[];
  setOpen(open: readonly number[]): void;
  isReadOnly: boolean;
}

/** The endpoints, one row each, and the events that are sent. */
export function SettingsEditor({ settings, change, open, setOpen, isReadOnly }: SettingsEditorProps) {
  const own = useSettingsTexts();
  const addButton = useRef<HTMLButtonElement>(null);
  const { endpoints } = settings;
  const add = () => {
    const next = withNewEndpoint(settings);
    change(next.settings);
    setOpen([...open, next.newKey]);
  };
  const remove = (key: number) => {
    change({ ...settings, endpoints: endpoints.filter((each) => each.key !== key) });
    // The button that had the focus no longer exists.
    addButton.current?.focus();
  };
  return (
    <>
      <Panel title={own.endpoints}>
        {endpoints.length === 0 && <p className={lists.note}>{own.noEndpoints}</p>}
        <ul className={styles.endpoints}>
          {endpoints.map((edited) => (
            <EndpointRow
              key={edited.key}
              edited={edited}
              settings={settings}
              change={(next) =>
                change({ ...settings, endpoints: endpoints.map((each) => (each === edited ? next : each)) })
              }
              remove={() => remove(edited.key)}
              isOpen={open.includes(edited.key)}
              setOpen={(isOpen) => setOpen(withOrWithout(open, edited.key, isOpen))}
              isReadOnly={isReadOnly}
            />
          ))}
        </ul>
        {!isReadOnly && (
          <div className={lists.work}>
            <Button ref={addButton} onClick={add}>
              + {own.add}
            </Button>
          </div>
        )}
      </Panel>
      {endpoints.length > 0 && <SentEvents settings={settings} change={change} isReadOnly={isReadOnly} />}
    </>
  );
}

interface EndpointRowProps {
  edited: EditedEndpoint;
  settings: EditedSettings;
  change(edited: EditedEndpoint): void;
  remove(): void;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
  isReadOnly: boolean;
}

function EndpointRow({ edited, settings, change, remove, isOpen, setOpen, isReadOnly }: EndpointRowProps) {
  const own = useSettingsTexts();
  const fields = useRef<HTMLFieldSetElement>(null);
  const url = edited.endpoint.Url || own.newEndpoint;
  const toggle = () => {
    // The browser can only name a field that is shown.
    const elements = [...(fields.current?.elements ?? [])] as HTMLInputElement[];
    if (elements.every((element) => element.reportValidity())) setOpen(!isOpen);
  };
  const titles = edited.events.map((name) =>
    settings.isOff.includes(name) ? `${own.events[name]} (${own.isNotSent})` : own.events[name],
  );
  return (
    <li>
      <div className={styles.endpoint}>
        <div className={styles.endpointFacts}>
          <strong>
            <ForeignText>{url}</ForeignText>
          </strong>
          <span>{titles.join(', ')}</span>
          {edited.endpoint.Filter?.map((filter, index) => (
            <code key={index}>{filter}</code>
          ))}
          <Badges edited={edited} />
        </div>
        {!isReadOnly && (
          <div className={lists.row}>
            <Button
              aria-expanded={isOpen}
              aria-label={isOpen ? own.foldOf(url) : own.editOf(url)}
              onClick={toggle}
            >
              {isOpen ? own.fold : own.edit}
            </Button>
            <Button look="danger" aria-label={own.remove(url)} onClick={remove}>
              ✕
            </Button>
          </div>
        )}
      </div>
      {isOpen && <EndpointEditor ref={fields} edited={edited} change={change} />}
    </li>
  );
}

/** What an endpoint has beside its URL, its events and its filters. */
function Badges({ edited }: { edited: EditedEndpoint }) {
  const own = useSettingsTexts();
  const { Authentication: auth, Payload, Format, Headers, ClientCertificate } = storedOf(edited);
  const place = auth.ApiKeyHeader ?? auth.TokenUrl;
  const kind = own.authentications[auth.Type]?.[0];
  const badges = [
    auth.Type !== 'None' && (place === undefined ? kind : `${kind}: ${place}`),
    Headers !== undefined && `${own.headers}: ${Object.keys(Headers).join(', ')}`,
    Payload !== undefined && `${own.payload}: ${own.payloads[Payload]?.[0] ?? Payload}`,
    Format !== undefined && `${own.format}: ${own.formats[Format]?.[0] ?? Format}`,
    ClientCertificate !== undefined && own.certificate,
  ].filter((text) => typeof text === 'string');
  if (badges.length === 0) return null;
  return (
    <div className={lists.row}>
      {badges.map((text) => (
        <Badge key={text} tone="none">
          {text}
        </Badge>
      ))}
    </div>
  );
}

function SentEvents({
  settings,
  change,
  isReadOnly,
}: Pick<SettingsEditorProps, 'settings' | 'change' | 'isReadOnly'>) {
  const own = useSettingsTexts();
  const { isOff } = settings;
  return (
    <Panel title={own.sentEvents}>
      <div className={lists.work}>
        <fieldset className={editor.records} aria-label={own.sentEvents} disabled={isReadOnly}>
          {eventNames
            .filter((name) => endpointsOf(settings, name).length > 0)
            .map((name) => (
              <Check
                key={name}
                label={own.events[name]}
                isChecked={!isOff.includes(name)}
                setChecked={(is) => change({ ...settings, isOff: withOrWithout(isOff, name, !is) })}
              />
            ))}
        </fieldset>
        <p className={styles.hint}>{own.sentHint}</p>
      </div>
    </Panel>
  );
}
