import { attempt } from '../../attempt';

/** An unsaved definition, and the one from which it was made. */
export interface DefinitionDraft {
  text: string;
  base: string;
  /** The revision of the form whose definition was the base. */
  revision: string;
}

const nameOf = (subject: string, formId: string): string => `canvass-definition ${subject} ${formId}`;

/** The draft of a user in this tab, or null. The sign-out ends all drafts. */
export function keptDraft(subject: string, formId: string): DefinitionDraft | null {
  const stored = sessionStorage.getItem(nameOf(subject, formId));
  return stored === null ? null : (JSON.parse(stored) as DefinitionDraft);
}

/** Keeps a draft over a reload of the page; null ends it. */
export function keepDraft(subject: string, formId: string, draft: DefinitionDraft | null): void {
  const name = nameOf(subject, formId);
  if (draft === null) return sessionStorage.removeItem(name);
  // If the room of the tab is used up, the text is still on the page.
  attempt(() => sessionStorage.setItem(name, JSON.stringify(draft)));
}
