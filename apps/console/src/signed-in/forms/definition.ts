const locale = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;
const idOfList = /^[1-9]\d{0,18}$/;

/** What a definition names. */
interface Named {
  /** The languages of its texts; none, if it has only texts without a language. */
  languages: Set<string>;
  /** The ids of its data lists. */
  lists: Set<string>;
}

/** Finds the languages and the data lists of a definition. */
export function namedIn(definition: object): Named {
  const named: Named = { languages: new Set(), lists: new Set() };
  collect(definition, named);
  const { locale: own } = definition as { locale?: unknown };
  if (named.languages.size > 0) named.languages.add(typeof own === 'string' && locale.test(own) ? own : 'en');
  return named;
}

function collect(value: unknown, named: Named): void {
  if (typeof value !== 'object' || value === null) return;
  const members = Object.entries(value);
  if (!Array.isArray(value) && isText(members)) {
    for (const [name] of members) if (name !== 'default') named.languages.add(name);
    return;
  }
  for (const [name, member] of members) {
    if (name === 'dataList' && typeof member === 'string' && idOfList.test(member)) named.lists.add(member);
    else collect(member, named);
  }
}

/** Returns whether members are a text by language: `{ "name": … }` and the like are none. */
const isText = (members: [string, unknown][]): boolean =>
  members.every(([name, text]) => typeof text === 'string' && (name === 'default' || locale.test(name))) &&
  members.some(([name]) => name === 'default' || /^[a-z]{2}(-|$)/i.test(name));
