import { jsonLanguage } from '@codemirror/lang-json';
import { isObject } from '../../json-object';

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

/** A fault in the text of a definition, from one character to another. */
export interface JsonFault {
  kind: 'syntax' | 'object' | 'duplicate';
  from: number;
  to: number;
  /** The name of a question that is there twice. */
  name: string;
}

/** A list of them: one slip often has many others behind it. */
const maxFaults = 50;
/** Members that hold questions. */
const questionLists = new Set(['elements', 'questions']);

/** Returns whether a definition with this fault cannot be saved. A repeated name is legal, mostly a slip. */
export const isBlocking = ({ kind }: JsonFault): boolean => kind !== 'duplicate';

/** The faults of a definition, in the order of the text. */
export function faultsOf(text: string): JsonFault[] {
  try {
    if (!isObject(JSON.parse(text))) return [{ kind: 'object', from: 0, to: text.length, name: '' }];
  } catch {
    return syntaxFaults(text);
  }
  return duplicates(text).slice(0, maxFaults);
}

function syntaxFaults(text: string): JsonFault[] {
  const faults: JsonFault[] = [];
  jsonLanguage.parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (type.isError && faults.length < maxFaults) faults.push({ kind: 'syntax', from, to, name: '' });
    },
  });
  // Where the grammar of the editor permits more than JSON, there is still one.
  return faults.length > 0 ? faults : [{ kind: 'syntax', from: 0, to: 0, name: '' }];
}

/** Questions whose name another question before them has: their answers would overwrite each other. */
function duplicates(text: string): JsonFault[] {
  const faults: JsonFault[] = [];
  const known = new Set<string>();
  jsonLanguage.parser.parse(text).iterate({
    enter({ name: kind, node }) {
      if (kind !== 'Property' || !questionLists.has(nameOf(node, text))) return;
      for (const question of node.lastChild?.getChildren('Object') ?? []) {
        const members = new Map(question.getChildren('Property').map((own) => [nameOf(own, text), own]));
        const at = members.get('name')?.lastChild;
        // A panel has a name of its own kind.
        if (at?.name !== 'String' || textOf(members.get('type')?.lastChild, text) === 'panel') continue;
        const name = textOf(at, text);
        if (known.has(name)) faults.push({ kind: 'duplicate', from: at.from, to: at.to, name });
        known.add(name);
      }
    },
  });
  return faults.sort((one, other) => one.from - other.from);
}

const nameOf = (property: SyntaxNode, text: string): string => textOf(property.firstChild, text);

/** The value of a string. */
const textOf = (node: SyntaxNode | null | undefined, text: string): string =>
  node ? String(JSON.parse(text.slice(node.from, node.to))) : '';

/** Line and column of a position; both begin with 1. */
export function placeOf(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
