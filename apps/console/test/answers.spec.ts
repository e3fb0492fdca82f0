import { filesOf, questionsOf } from '../src/signed-in/submissions/answers';

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

describe('the files of an answer', () => {
  const photo = { name: 'me.png', type: 'image/png', content: 'data:image/png;base64,AAAAAA==' };

  it('have name, type, size and content', () => {
    expect(filesOf(JSON.stringify({ photo: [photo] }), 'photo')).toEqual([
      { name: 'me.png', type: 'image/png', bytes: 4, url: photo.content },
    ]);
  });

  it('may be a signature, or be stored elsewhere', () => {
    expect(filesOf(JSON.stringify({ sign: photo.content }), 'sign')).toEqual([
      { name: 'sign.png', type: 'image/png', bytes: 4, url: photo.content },
    ]);
    const elsewhere = { ...photo, content: 'https://files.example.org/1' };
    expect(filesOf(JSON.stringify({ photo: elsewhere }), 'photo')).toEqual([
      { name: 'me.png', type: 'image/png', bytes: 0, url: null },
    ]);
    expect(filesOf('{"photo":[null,1,{}]}', 'photo')).toEqual([]);
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
