import type { Member } from '../three-way';
import { editedOf, eventNames, jsonOf, type EditedEvent, type EditedSettings } from './settings';
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
  const hasEndpoint = Object.values(settings).some(({ endpoints }) => endpoints.length > 0);
  const choice = !isForm || hasEndpoint ? 'own' : json === null ? 'inherited' : 'none';
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
    text: ({ choice: own, settings }) => (own === 'own' ? textOf(settings[name], texts) : texts.nothing),
    take: (into, from) => ({ ...into, settings: { ...into.settings, [name]: from.settings[name] } }),
  }));
  return [...(isForm ? [choice] : []), ...events];
}

const textOf = ({ isEnabled, endpoints }: EditedEvent, texts: SettingsTexts): string => {
  if (endpoints.length === 0) return texts.nothing;
  const lines = endpoints.map(({ url, header, apiKey }) =>
    header === '' ? url : `${url} (${header}: ${apiKey})`,
  );
  return isEnabled ? lines.join(', ') : `${lines.join(', ')} – ${texts.isNotSent}`;
};
