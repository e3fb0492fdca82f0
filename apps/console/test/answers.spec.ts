import { answersOf, questionsOf } from '../src/signed-in/submissions/answers';

const definition = {
  pages: [
    {
      name: 'page1',
      elements: [
        { type: 'text', name: 'city', title: { default: 'City', de: 'Stadt' } },
        { type: 'panel', name: 'home', elements: [{ type: 'text', name: 'street', title: 'Street' }] },
      ],
    },
  ],
};

describe('the answers of a submission', () => {
  it('have the titles of their questions in the language, else the names', () => {
    const given = answersOf('{"street":"Ring 1","city":"Graz","old":true}', definition, 'de');
    expect(given?.map(({ title, text }) => [title, text])).toEqual([
      ['Street', 'Ring 1'],
      ['Stadt', 'Graz'],
      ['old', 'true'],
    ]);
    expect(answersOf('{"city":""}', definition, 'fr')?.[0]?.title).toBe('City');
  });

  it('show each row of a matrix in its line', () => {
    const given = answersOf('{"aspects":{"price":"good","speed":2},"none":{}}', {}, 'en');
    expect(given?.map(({ text }) => text)).toEqual(['price: good\nspeed: 2', '{}']);
  });

  it('show choices in one line and nested answers as JSON', () => {
    const given = answersOf('{"a":["x","y"],"b":{"c":[{"d":1}]},"e":null}', {}, 'en');
    expect(given?.map(({ text }) => text)).toEqual([
      'x, y',
      '{\n "c": [\n  {\n   "d": 1\n  }\n ]\n}',
      'null',
    ]);
  });

  it('show numbers with the digits that were sent', () => {
    const given = answersOf(
      '{"a":9007199254740993,"b":1.0,"c":[-0,1E5],"d":{"r":0.10},"e":[{"f":1e400}],"g":"1.0"}',
      {},
      'en',
    );
    expect(given?.map(({ text }) => text)).toEqual([
      '9007199254740993',
      '1.0',
      '-0, 1E5',
      'r: 0.10',
      '[\n {\n  "f": 1e400\n }\n]',
      '1.0',
    ]);
  });

  it('show numbers beyond 64-bit floats by their text, and no answers that are too deep', () => {
    const given = answersOf('{"x":1e400000,"y":[1,-2e999],"z":{"a":3E+999,"1e999":"1e999"}}', {}, 'en');
    expect(given?.map(({ text }) => text)).toEqual(['1e400000', '1, -2e999', 'a: 3E+999\n1e999: 1e999']);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(answersOf(`{"x":1,"y":${deep}}`, {}, 'en')).toBeNull();
  });

  it('may have any name, and the definition any shape', () => {
    const given = answersOf('{"__proto__":"1","constructor":"2"}', { pages: [null, 7, [{ name: 1 }]] }, 'en');
    expect(given?.map(({ name, text }) => [name, text])).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    expect(answersOf('[1]', definition, 'en')).toBeNull();
    expect(answersOf('not JSON', definition, 'en')).toBeNull();
  });
});

describe('the questions of a form', () => {
  it('are in its order, those of panels too, without pages and elements that ask nothing', () => {
    const html = { type: 'html', name: 'welcome' };
    const rows = { type: 'paneldynamic', name: 'rows', templateElements: [{ type: 'text', name: 'inner' }] };
    const form = { pages: [{ name: 'p', elements: [html, ...definition.pages[0]!.elements, rows] }] };
    expect(questionsOf(form, 'de')).toEqual([
      { name: 'city', title: 'Stadt' },
      { name: 'street', title: 'Street' },
      { name: 'rows', title: 'rows' },
    ]);
    expect(questionsOf(null, 'en')).toEqual([]);
  });
});
