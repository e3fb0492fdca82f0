import { findBannedWords, isUnder, readBannedWords, readList, readTrackedTexts } from './banned-words';

const banned = readBannedWords();

describe('banned words', () => {
  it('are in no tracked text file', () => {
    const exempt = readList('banned-words-exempt.txt');
    const checked = readTrackedTexts().filter(({ file }) => !isUnder(file, exempt));
    expect(checked.length).toBeGreaterThan(500);
    expect(checked.flatMap(({ file, text }) => findBannedWords(file, text, banned))).toEqual([]);
  });

  it('are exempt only where they occur', () => {
    const exempt = readList('banned-words-exempt.txt');
    const texts = readTrackedTexts();
    const superfluous = exempt.filter(
      (entry) =>
        !texts.some(
          ({ file, text }) => isUnder(file, [entry]) && findBannedWords(file, text, banned).length > 0,
        ),
    );
    expect(superfluous).toEqual([]);
  });

  it.each(banned)('include "$word", found in plain text', ({ word, replacement }) => {
    const hits = findBannedWords('docs/a.md', `First line.\nA client ${word}.\n`, banned);
    expect(hits).toContain(`docs/a.md:2: "${word}" -> ${replacement}`);
  });

  it.each([
    ['at the start of a sentence', 'Nobody waits.', 'nobody'],
    ['in a camelCase name', 'const tellAnswer = 1;', 'tell'],
    ['in a snake_case name', 'upstream_spared_total', 'spared'],
    ['in a kebab-case name', "import './told-secrets';", 'told'],
    ['across a line break of a comment', '/**\n * The queue is\n * gone.\n */', 'is gone'],
  ])('are found %s', (_where, text, word) => {
    const hits = findBannedWords('a.ts', text, banned);
    expect(hits).toEqual([expect.stringContaining(`"${word}"`)]);
  });

  it('are found in the name of a file', () => {
    expect(findBannedWords('src/told-secrets.ts', '', banned)).toEqual([
      expect.stringMatching(/^src\/told-secrets\.ts: "told"/),
    ]);
  });

  it('are whole words', () => {
    expect(findBannedWords('a.md', 'The storyteller foretold it and renewed the spare key.', banned)).toEqual(
      [],
    );
  });
});
