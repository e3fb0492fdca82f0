// cspell:ignore Antwort
import { catalogue, ruleTexts } from '@canvass/errors';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { de } from '../src/i18n/de';
import { en } from '../src/i18n/en';

jest.mock('../src/i18n', () => ({ useTextsOf: (both: unknown) => both }));
jest.mock('../src/signed-in/formats', () => ({ useFormats: () => ({}) }));
jest.mock('../src/i18n/preferences', () => ({ useTextsOf: (both: unknown) => both }));

/** Every text is in both languages, and so is every code of the API. German has one word for a thing. */

interface Both {
  en: object;
  de: object;
}

const root = path.join(__dirname, '../../..');
const source = path.join(__dirname, '../src');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const json = <T>(file: string) => JSON.parse(read(`dist/openapi/${file}`)) as T;

/** The texts of a file of the console, by the name of its file. */
const textsIn = (file: string): Both[] => {
  const exported = Object.entries(jest.requireActual(path.join(source, file)) as Record<string, () => Both>);
  return exported
    .filter(([name]) => /^use\w*Texts$/.test(name))
    .map(([, use]) => use())
    .filter((own) => 'en' in own);
};
// `with-texts.ts` asks the API for texts; `-en` and `-de` are halves of another file.
const files = (readdirSync(source, { recursive: true }) as string[]).filter(
  (name) => /texts[\w-]*\.ts$/.test(name) && !/(with-texts|texts-en|texts-de)\.ts$/.test(name),
);
const all: Both[] = [{ en, de }, ...files.flatMap(textsIn)];

/** The texts of an object by their paths. A function is called with its own parameters' numbers. */
function flat(value: unknown, at = ''): [at: string, text: string][] {
  if (typeof value === 'string') return [[at, value]];
  if (typeof value === 'function')
    return flat((value as (...values: unknown[]) => unknown)(...arguments_(value.length)), at);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, own]) => flat(own, `${at}.${name}`));
}
const arguments_ = (count: number): unknown[] => (count === 1 ? [2] : [2, 3, 4, 5]);

const texts = all.map((both) => ({ en: new Map(flat(both.en)), de: new Map(flat(both.de)) }));

/** Words that are the same in both languages. */
const same = new Set(
  (
    'Name|Status|Logo|Version|Import|Export|System|Code|Link|Trace|Test|Tests|Filter|Browser|DNS|TLS|Webhooks|' +
    'Format|Text|Normal|Token|URL|Id|Median|Start|Definition|Links|Standard|+ Filter|Filter 2|Net Promoter Score|Canvass|Standard Webhooks|OAuth2|NDJSON|JSON|form.updated'
  ).split('|'),
);

it('finds the texts', () => {
  expect(texts.length).toBeGreaterThan(25);
  expect(texts[0]!.en.size).toBeGreaterThan(120);
});

it('German texts are German', () => {
  const untranslated = texts.flatMap((both) =>
    [...both.de].flatMap(([at, text]) =>
      both.en.get(at) === text && /[A-Za-z]{3}/.test(text) && !same.has(text) ? [`${at}: ${text}`] : [],
    ),
  );
  expect(untranslated).toEqual([]);
});

describe('a thing has one word', () => {
  interface Term {
    en: string;
    de: string;
    /** Words for the same that are not used. */
    not?: { en?: string[]; de?: string[] };
  }
  const terms = JSON.parse(readFileSync(path.join(__dirname, 'glossary.json'), 'utf8')) as Term[];
  const pairs = texts.flatMap((both) =>
    [...both.de].map(([at, text]) => ({ at, de: text, en: both.en.get(at) ?? '' })),
  );
  const has = (text: string, word: string) => new RegExp(`(?<![\\p{L}])${word}`, 'iu').test(text);

  it.each(terms)('$en: $de', ({ en: english, de: german, not = {} }) => {
    expect(pairs.some(({ de: text }) => has(text, german))).toBe(true);
    const others = pairs.flatMap(({ at, ...pair }) =>
      (['en', 'de'] as const).flatMap((language) =>
        (not[language] ?? []).flatMap((word) =>
          has(pair[language], word) ? `${at}: ${pair[language]}` : [],
        ),
      ),
    );
    expect(others).toEqual([]);
    expect(english).not.toBe('');
  });

  it('what is sent and what is answered are not the same', () => {
    const mixed = pairs.filter(
      (pair) => /\bsubmissions?\b/i.test(pair.en) && !/answer/i.test(pair.en) && /Antwort/.test(pair.de),
    );
    expect(mixed).toEqual([]);
  });
});

describe('every code of the API has words in both languages', () => {
  type Schema = {
    enum?: (string | null)[];
    description?: string;
    properties?: Record<string, Schema>;
    items?: Schema;
  };
  interface Document {
    components: { schemas: Record<string, Schema> };
    paths: Record<string, { get: { parameters: { name: string; schema: Schema }[] } }>;
  }
  const { components, paths } = json<Document>('openapi.json');
  const { schemas } = components;
  const enumOf = (name: string, member: string): string[] => {
    const own = schemas[name]!.properties![member]!;
    return (own.enum ?? own.items!.enum!).filter((value) => value !== null);
  };
  const { schema: kind } = paths['/api/jobs']!.get.parameters.find(({ name }) => name === 'kind')!;
  const kindsOfJobs = kind.enum as string[];
  const routes = json<{ needs: string; recorded: string | null }[]>('permissions.json');
  /** What is recorded without a route names its action itself. */
  const namedInSource = [
    'apps/submissions-svc',
    'apps/datalists-svc',
    'apps/identity-svc',
    'apps/webhook-relay-svc',
    'libs/platform',
  ]
    .flatMap((project) => {
      const names = readdirSync(path.join(root, project, 'src'), { recursive: true }) as string[];
      return names.filter((name) => name.endsWith('.ts')).map((name) => path.join(project, 'src', name));
    })
    .flatMap((file) => read(file).match(/(?<=\baction: ')\w+\.\w+(?=')/g) ?? []);
  const recorded = routes.flatMap((route) => route.recorded ?? []);
  const actions = [...new Set([...recorded, ...namedInSource])];
  const member = (file: string, name: string): Both => {
    const [both] = textsIn(file);
    const of = (own: object) => (own as Record<string, object>)[name]!;
    return { en: of(both!.en), de: of(both!.de) };
  };
  const tables: [what: string, codes: readonly string[], words: Both][] = [
    ['outcomes', enumOf('WebhookAttempt', 'outcome'), member('signed-in/delivery-texts.ts', 'outcomes')],
    ['events', enumOf('WebhookDelivery', 'eventName'), member('signed-in/delivery-texts.ts', 'events')],
    [
      'states of deliveries',
      enumOf('WebhookDelivery', 'status'),
      member('signed-in/delivery-texts.ts', 'states'),
    ],
    ['faults of imports', enumOf('ImportFault', 'code'), textsIn('signed-in/data-lists/fault-texts.ts')[0]!],
    ['kinds of jobs', kindsOfJobs, member('signed-in/job-texts.ts', 'kinds')],
    ['states of jobs', enumOf('AreaJob', 'state'), member('signed-in/job-texts.ts', 'states')],
    ['roles', enumOf('ServiceAccount', 'roles'), member('signed-in/role-texts.ts', 'roleNames')],
    [
      'permissions',
      enumOf('CurrentPrincipal', 'permissions'),
      member('signed-in/role-texts.ts', 'permissionNames'),
    ],
    ['actions', actions, member('signed-in/audit/texts.ts', 'actionNames')],
    ['objects', actions.map((action) => action.split('.')[0]!), member('signed-in/kind-texts.ts', 'kinds')],
    ['actors', enumOf('AuditActor', 'kind'), member('signed-in/audit/texts.ts', 'actors')],
    ['areas', enumOf('AuditRecord', 'area'), member('signed-in/audit/texts.ts', 'areas')],
    [
      'rules of answers',
      schemas['AnswerFault']!.properties!['rule']!.description!.match(/(?<=`)\w+(?=`)/g)!,
      member('signed-in/submissions/check-texts.ts', 'rules'),
    ],
    [
      'reasons',
      enumOf('WebhookEndpoint', 'disabledReason'),
      member('signed-in/webhooks/endpoint-texts.ts', 'reasons'),
    ],
    // English comes with the answer.
    [
      'problems',
      Object.keys(catalogue),
      {
        en: Object.fromEntries(Object.entries(catalogue).map(([code, { title }]) => [code, title])),
        de: member('i18n/texts-faults.ts', 'problems').de,
      },
    ],
    [
      'named rules',
      Object.keys(ruleTexts),
      { en: ruleTexts, de: member('i18n/texts-faults.ts', 'rules').de },
    ],
    [
      'rules of single values',
      read('libs/service-kit/src/http/messages.ts').match(/(?<=^ {2}')[\w.]+(?=':)/gm)!,
      { en: member('i18n/texts-faults.ts', 'rules').de, de: member('i18n/texts-faults.ts', 'rules').de },
    ],
  ];
  it.each(tables)('%s', (_, codes, words) => {
    expect(codes.length).toBeGreaterThan(2);
    for (const own of [words.en, words.de])
      expect(codes.filter((code) => !Object.hasOwn(own, code))).toEqual([]);
  });
});
