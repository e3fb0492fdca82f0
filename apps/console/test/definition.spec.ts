import { namedIn } from '../src/signed-in/forms/definition';
import { faultsOf, isBlocking, placeOf } from '../src/signed-in/forms/json-faults';
import { diffLines } from '../src/signed-in/forms/line-diff';

const shown = (text: string) =>
  faultsOf(text).map(({ kind, from, name }) => {
    const { line, column } = placeOf(text, from);
    return [kind, line, column, ...(name === '' ? [] : [name])];
  });

describe('the faults of a definition', () => {
  it('are each place that is not JSON', () => {
    expect(shown('{\n  "a": 1,\n  "b" 2,\n  "c": [1,, 2]\n}')).toEqual([
      ['syntax', 3, 7],
      ['syntax', 4, 11],
    ]);
    expect(shown('')).toEqual([['syntax', 1, 1]]);
  });

  it('are there for each text that is not JSON', () => {
    const text = JSON.stringify({ a: [1, -2.5e3, true, null, 'x\n\u2028"'], b: { ß: {} } });
    for (let end = 0; end < text.length; end += 1) {
      expect([end, faultsOf(text.slice(0, end)).some(isBlocking)]).toEqual([end, true]);
    }
    for (const wrong of [
      '{"a": "one\ttwo"}',
      '{"a": 01}',
      '{"a": "\\x"}',
      "{'a': 1}",
      '{"a": NaN}',
      '{} //',
    ]) {
      expect([wrong, faultsOf(wrong).some(isBlocking)]).toEqual([wrong, true]);
    }
    expect(faultsOf(text)).toEqual([]);
  });

  it('are another value than an object', () => {
    for (const text of ['[]', 'null', '"text"', '1']) expect(shown(text)).toEqual([['object', 1, 1]]);
    expect(shown('{}')).toEqual([]);
  });

  it('are questions with the same name, on any page and in any panel', () => {
    const text = JSON.stringify({
      pages: [
        { name: 'city', elements: [{ type: 'text', name: 'city' }] },
        {
          elements: [
            { type: 'panel', name: 'age', elements: [{ type: 'text', name: 'age' }] },
            { type: 'panel', name: 'rest', elements: [{ type: 'text', name: 'c\u0069ty' }, { name: 7 }, 3] },
          ],
        },
      ],
      choices: [{ name: 'city' }],
    });
    const faults = faultsOf(text);
    expect(faults.map(({ kind, name }) => [kind, name])).toEqual([['duplicate', 'city']]);
    expect(text.slice(faults[0]!.from, faults[0]!.to)).toBe('"city"');
    expect(faults.some(isBlocking)).toBe(false);
  });

  it('are at most fifty', () => {
    expect(faultsOf(`[${'}'.repeat(200)}`).length).toBeLessThanOrEqual(50);
  });
});

/** The texts that a comparison with all its lines was made of. */
function sides(before: string, after: string): [string[], string[]] {
  const lines = diffLines(before, after)!;
  const of = (kind: string) =>
    lines.flatMap((line) => (line.kind === kind && line.kind !== 'same' ? [line.text] : []));
  return [of('removed'), of('added')];
}

describe('a comparison of lines', () => {
  it('shows what was removed and added', () => {
    expect(sides('a\nb\nc\nd', 'a\nB\nc\ne\nd')).toEqual([['b'], ['B', 'e']]);
    expect(sides('', 'a')).toEqual([[''], ['a']]);
  });

  it('shows two lines around a change, and counts the others', () => {
    const before = Array.from({ length: 20 }, (_, line) => `line ${line}`);
    const after = before.with(10, 'changed');
    expect(diffLines(before.join('\n'), after.join('\n'))).toEqual([
      { kind: 'same', count: 8 },
      { kind: 'near', text: 'line 8' },
      { kind: 'near', text: 'line 9' },
      { kind: 'removed', text: 'line 10' },
      { kind: 'added', text: 'changed' },
      { kind: 'near', text: 'line 11' },
      { kind: 'near', text: 'line 12' },
      { kind: 'same', count: 7 },
    ]);
  });

  it('of equal texts is one count', () => {
    expect(diffLines('a\nb', 'a\nb')).toEqual([{ kind: 'same', count: 2 }]);
  });

  it('gives up before it takes long, and not because texts are long', () => {
    const many = (name: string) => Array.from({ length: 3_000 }, (_, line) => `${name} ${line}`).join('\n');
    expect(diffLines(many('a'), many('b'))).toBeNull();
    const long = many('a');
    expect(sides(long, `${long}\nend`)).toEqual([[], ['end']]);
  });
});

describe('what a definition names', () => {
  const named = (definition: object) => {
    const { languages, lists } = namedIn(definition);
    return [[...languages].sort(), [...lists]];
  };

  it('are its languages and its lists, also those of panels and columns', () => {
    const question = {
      type: 'dropdown',
      name: 'city',
      dataList: '12',
      title: { default: 'City', de: 'Stadt' },
    };
    const column = { name: 'country', dataList: '13', title: { fr: 'Pays' } };
    const panel = { type: 'panel', elements: [question, { type: 'matrixdynamic', columns: [column] }] };
    expect(named({ pages: [{ elements: [panel, { ...question, name: 'town' }] }] })).toEqual([
      ['de', 'en', 'fr'],
      ['12', '13'],
    ]);
    expect(named({ locale: 'nl', title: { default: 'City', de: 'Stadt' } })).toEqual([['de', 'nl'], []]);
  });

  it('is nothing where it has neither', () => {
    expect(named({ title: 'City', elements: [{ type: 'text', name: 'city' }, null, 1] })).toEqual([[], []]);
    expect(named({ elements: [{ name: 'a', dataList: 'no id' }, { dataList: 12 }] })).toEqual([[], []]);
  });
});
