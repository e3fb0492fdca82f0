import { AreaField, Button, Field } from '@canvass/console-ui';
import { useEffect, useRef, useState, type Ref } from 'react';
import { Check, withOrWithout } from '../check';
import { ChoiceField } from '../choice-field';
import editor from '../editor.module.css';
import styles from './desk.module.css';
import {
  authenticationMembers,
  eventNames,
  type AuthenticationMember,
  type AuthenticationType,
  type EditedEndpoint,
} from './settings';
import { fieldName } from './settings-faults';
import { HeaderRows } from './settings-headers';
import { Rows } from './settings-rows';
import { useSettingsTexts } from './settings-texts';
import { EndpointTrial } from './settings-trial';

export interface EndpointEditorProps {
  ref: Ref<HTMLFieldSetElement>;
  edited: EditedEndpoint;
  change(edited: EditedEndpoint): void;
}

/** All members of one endpoint. */
export function EndpointEditor({ ref, edited, change }: EndpointEditorProps) {
  const own = useSettingsTexts();
  const { key, endpoint } = edited;
  const set = (part: Partial<EditedEndpoint['endpoint']>) =>
    change({ ...edited, endpoint: { ...endpoint, ...part } });
  return (
    <fieldset ref={ref} className={editor.editor} aria-label={endpoint.Url || own.newEndpoint}>
      <Field
        name={fieldName(key, 'Url')}
        label={own.url}
        type="url"
        required
        autoFocus={endpoint.Url === ''}
        value={endpoint.Url}
        onChange={({ target }) => set({ Url: target.value })}
      />
      <Events edited={edited} change={change} />
      <Filters edited={edited} set={(Filter) => set({ Filter })} />
      <div className={styles.pair}>
        <Choice
          label={own.payload}
          choices={own.payloads}
          name={fieldName(key, 'Payload')}
          value={endpoint.Payload ?? 'full'}
          setValue={(Payload) => set({ Payload })}
        />
        <Choice
          label={own.format}
          choices={own.formats}
          name={fieldName(key, 'Format')}
          value={endpoint.Format ?? 'canvass'}
          setValue={(Format) => set({ Format })}
        />
      </div>
      <HeaderRows edited={edited} change={change} />
      <Authentication edited={edited} set={(auth) => set({ Authentication: auth })} />
      <Certificate edited={edited} set={(ClientCertificate) => set({ ClientCertificate })} />
      <EndpointTrial edited={edited} />
    </fieldset>
  );
}

function Events({ edited, change }: Pick<EndpointEditorProps, 'edited' | 'change'>) {
  const own = useSettingsTexts();
  const { events } = edited;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    first.current?.setCustomValidity(events.length === 0 ? own.needsEvent : '');
  }, [events.length, own]);
  return (
    <fieldset className={editor.records}>
      <legend>{own.eventsOf}</legend>
      <div className={styles.pair}>
        {eventNames.map((name, index) => (
          <Check
            key={name}
            ref={index === 0 ? first : undefined}
            label={own.events[name]}
            isChecked={events.includes(name)}
            setChecked={(is) => change({ ...edited, events: withOrWithout(events, name, is) })}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface MemberProps<Value> {
  edited: EditedEndpoint;
  set(value: Value): void;
}

function Filters({ edited: { key, endpoint }, set }: MemberProps<string[]>) {
  const own = useSettingsTexts();
  const filters = endpoint.Filter ?? [];
  return (
    <Rows
      title={own.filters}
      hint={own.filtersHint}
      add={own.addFilter}
      count={filters.length}
      append={() => set([...filters, ''])}
    >
      {filters.map((filter, index) => (
        <div key={index} className={styles.row}>
          <Field
            name={fieldName(key, `Filter[${index}]`)}
            label={own.filter(index + 1)}
            required
            autoFocus={filter === ''}
            autoComplete="off"
            spellCheck={false}
            value={filter}
            onChange={({ target }) => set(filters.map((each, at) => (at === index ? target.value : each)))}
          />
          <Button
            aria-label={own.removeFilter(index + 1)}
            onClick={() => set(filters.filter((_, at) => at !== index))}
          >
            ✕
          </Button>
        </div>
      ))}
    </Rows>
  );
}

interface ChoiceProps {
  label: string;
  /** Name and description by value. */
  choices: Readonly<Record<string, readonly [name: string, hint: string]>>;
  name: string;
  value: string;
  setValue(value: string): void;
}

const Choice = ({ choices, setValue, ...rest }: ChoiceProps) => (
  <ChoiceField
    {...rest}
    hint={choices[rest.value]?.[1]}
    choices={Object.fromEntries(Object.entries(choices).map(([value, [title]]) => [value, title]))}
    choose={setValue}
  />
);

const secrets: readonly AuthenticationMember[] = ['ApiKey', 'ClientSecret'];

function Authentication({
  edited: { key, endpoint },
  set,
}: MemberProps<EditedEndpoint['endpoint']['Authentication']>) {
  const own = useSettingsTexts();
  const auth = endpoint.Authentication;
  const members = authenticationMembers[auth.Type];
  return (
    <>
      <Choice
        label={own.authentication}
        choices={own.authentications}
        name={fieldName(key, 'Authentication.Type')}
        value={auth.Type}
        setValue={(type) => set({ ...auth, Type: type as AuthenticationType })}
      />
      {members.length > 0 && (
        <div className={styles.pair}>
          {members.map((member) => (
            <Field
              key={member}
              name={fieldName(key, `Authentication.${member}`)}
              label={own.members[member]}
              hint={secrets.includes(member) ? own.secretHint : undefined}
              type={member === 'TokenUrl' ? 'url' : 'text'}
              required={member !== 'Scope'}
              autoComplete="off"
              value={auth[member] ?? ''}
              onChange={({ target }) => set({ ...auth, [member]: target.value })}
            />
          ))}
        </div>
      )}
    </>
  );
}

function Certificate({
  edited: { key, endpoint },
  set,
}: MemberProps<{ Certificate: string; PrivateKey: string }>) {
  const own = useSettingsTexts();
  const pair = endpoint.ClientCertificate ?? { Certificate: '', PrivateKey: '' };
  // It does not close while one clears the fields.
  const [isOpen] = useState(pair.Certificate !== '');
  const parts = [
    ['Certificate', own.certificate, own.certificateHint],
    ['PrivateKey', own.privateKey, own.privateKeyHint],
  ] as const;
  return (
    <details className={styles.certificate} open={isOpen}>
      <summary>{own.certificate}</summary>
      <div className={styles.pair}>
        {parts.map(([name, label, hint]) => (
          <AreaField
            key={name}
            name={fieldName(key, `ClientCertificate.${name}`)}
            label={label}
            hint={hint}
            rows={5}
            spellCheck={false}
            autoComplete="off"
            value={pair[name]}
            onChange={({ target }) => set({ ...pair, [name]: target.value })}
          />
        ))}
      </div>
    </details>
  );
}
