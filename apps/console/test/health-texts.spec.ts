import { readFileSync } from 'node:fs';
import path from 'node:path';
import { saidIn } from '../src/signed-in/health-texts';

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
  const english = /\b(ready|replicas|health|answer|reached|of)\b/i;
  expect(sentences.map((said) => saidIn('de', said)).filter((said) => english.test(said))).toEqual([]);
});
