// cspell:ignore deutsch klingonisch
import { codeOf, localeName, offeredLanguages } from '../src/signed-in/data-lists/known-languages';

it.each([
  ['de', 'de'],
  ['Deutsch', 'de'],
  ['German', 'de'],
  ['Niederländisch', 'nl'],
  [' PT_BR ', 'pt-br'],
  ['Austrian German (de-at)', 'de-at'],
  ['de-x-easy', 'de-x-easy'],
  ['gsw', 'gsw'],
  ['Klingonisch', null],
  ['de fr', null],
  ['', null],
])('what is written as %j is the language %j', (written, code) => {
  expect(codeOf(written)).toBe(code);
});

it('what is offered is a language by its name, and means itself', () => {
  const offered = offeredLanguages('de');
  expect(offered).toContain('Deutsch (de)');
  expect(offered.length).toBeGreaterThan(150);
  for (const name of offered) expect(localeName(codeOf(name)!, 'de')).toBe(name);
});
