import type { Member } from '../three-way';
import {
  editedOf,
  endpointsOf,
  eventNames,
  jsonOf,
  storedOf,
  withEvent,
  type EditedSettings,
  type EventName,
} from './settings';
import type { SettingsTexts } from './settings-texts';

/** The choice of whose settings a form has: those of the tenant, its own, or none. */
export type Choice = 'inherited' | 'own' | 'none';

/** The state that one edits. */
export interface Draft {
  choice: Choice;
  /** The settings, which stay while another choice is tried. */
  settings: EditedSettings;
}

/** The draft of a stored text. The tenant has no choice: its settings are its own. */
export function draftOf(json: string | null, isForm: boolean): Draft {
  const settings = editedOf(json);
  const choice = !isForm || settings.endpoints.length > 0 ? 'own' : json === null ? 'inherited' : 'none';
  return { choice, settings };
}

/** The text that the API takes. */
export function jsonOfDraft({ choice, settings }: Draft): string | null {
  if (choice === 'inherited') return null;
  return choice === 'none' ? JSON.stringify({ Events: {} }) : jsonOf(settings);
}

/** The parts of a draft that are kept or taken as a whole when two changes meet. */
export function membersOf(texts: SettingsTexts, isForm: boolean): Member<Draft>[] {
  const choice: Member<Draft> = {
    name: texts.choice,
    text: (draft) => texts[draft.choice],
    take: (into, from) => ({ ...into, choice: from.choice }),
  };
  const events = eventNames.map((name): Member<Draft> => ({
    name: texts.events[name] ?? name,
    text: ({ choice: own, settings }) => (own === 'own' ? textOf(settings, name, texts) : texts.nothing),
    take: (into, from) => ({ ...into, settings: withEvent(into.settings, from.settings, name) }),
  }));
  return [...(isForm ? [choice] : []), ...events];
}

function textOf(settings: EditedSettings, name: EventName, texts: SettingsTexts): string {
  const endpoints = endpointsOf(settings, name);
  if (endpoints.length === 0) return texts.nothing;
  // All members are compared, so all are shown.
  const lines = endpoints.map((each) => {
    const { Url, Authentication, ...rest } = storedOf(each);
    const members = { ...(Authentication.Type !== 'None' && { Authentication }), ...rest };
    return Object.keys(members).length === 0 ? Url : `${Url} ${JSON.stringify(members)}`;
  });
  return settings.isOff.includes(name) ? `${lines.join(', ')} – ${texts.isNotSent}` : lines.join(', ');
}
