import { readFileSync } from 'node:fs';
import path from 'node:path';
import { useSaid } from '../src/signed-in/health-texts';

jest.mock('../src/i18n', () => ({ useTextsOf: ({ de }: { de: unknown }) => de }));

it('German has all that the gateway says of a service', () => {
  const source = readFileSync(path.join(__dirname, '../../gateway/src/downstream-checks.ts'), 'utf8');
  const sentences = [...source.matchAll(/['`]((?:[A-Z]|\$\{)[^'`\n]*(?:\.|description\}))['`]/g)].map(
    ([, sentence]) =>
      sentence!
        .replace('${word}', 'Degraded')
        .replace(/\$\{[^}]*description\}/, 'Cannot be reached.')
        .replaceAll(/\$\{[^}]+\}/g, '2'),
  );
  expect(sentences.length).toBeGreaterThan(5);
  const saidOf = useSaid();
  const english = /\b(ready|replicas|health|answer|reached|of)\b/i;
  expect(sentences.map(saidOf).filter((said) => english.test(said))).toEqual([]);
});
