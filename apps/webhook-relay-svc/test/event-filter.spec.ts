import type { EventCondition, ResolvedWebhookEndpoint } from '@canvass/contracts';
import { createRandom, type Random } from '@canvass/testing';
import { createSettings, createSettingsOwner, type Settings } from '../src/endpoints';
import { storeSettings } from '../src/endpoints/store-settings';
import { leftOutOf } from '../src/event-filter';
import { silentLogger } from '@canvass/service-kit';
import { box, lostRelay } from './lost-relay';
import { newId, newTenant, startHarness, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

const ofOwner = (): Settings =>
  createSettings(
    world.db,
    createSettingsOwner({
      baseUrl: world.owner.url,
      timeoutMs: 5_000,
      serviceToken: () => '',
      logger: silentLogger,
    }),
    box,
  );

const words = ['NG', 'DE', '', 'Señor', '7', '7.0', 'null'];

/** The submission of an event, by random. */
function entityBy(random: Random) {
  const country = random.pick<unknown>([
    ...words,
    7,
    [random.pick(words), random.pick(words)],
    { deep: random.pick(words) },
    null,
    true,
    undefined,
  ]);
  return {
    status: random.pick(['new', 'read', 'approved', 'declined']),
    isComplete: true,
    currentPage: random.between(0, 3),
    submitterDisplayId: random.pick([null, 'Ada', '']),
    submitterProfileSnapshot: random.pick([null, { dept: 'HR' }, { dept: 'Sales', 'a.b': 'x' }]),
    completedAt: '2026-11-29T06:00:00.000Z',
    answers: {
      country,
      age: random.pick<unknown>([7, 18, 42, -3, '18', undefined]),
      'a.b': random.pick(words),
    },
  };
}

type Entity = ReturnType<typeof entityBy>;

const equality = [':', '!:'] as const;
const values = (random: Random, from: readonly (string | null)[]) =>
  Array.from({ length: random.between(1, 3) }, () => random.pick(from));

function conditionBy(random: Random): EventCondition {
  const operator = random.pick(equality);
  const compares = random.pick(['>', '<', '>:', '<:'] as const);
  return random.pick<() => EventCondition>([
    () => ({
      of: 'member',
      name: 'status',
      kind: 'text',
      operator,
      values: values(random, ['new', 'read', 'approved']),
    }),
    () => ({ of: 'member', name: 'currentPage', kind: 'number', operator: compares, values: ['2'] }),
    () => ({
      of: 'member',
      name: 'completedAt',
      kind: 'time',
      operator: compares,
      values: [random.pick(['2026-11-29T06:00:00.000Z', '2026-11-28T00:00:00.000Z'])],
    }),
    () => ({
      of: 'member',
      name: 'submitterDisplayId',
      kind: 'text',
      operator,
      values: values(random, [null, 'Ada', '']),
    }),
    () => ({
      of: 'profile',
      name: random.pick(['dept', 'a.b']),
      kind: 'text',
      operator,
      values: values(random, [null, 'HR', 'x']),
    }),
    () => ({
      of: 'answer',
      name: random.pick(['country', 'country.deep', 'country.1', 'a.b']),
      kind: 'text',
      operator,
      values: values(random, [null, ...words, 'true']),
    }),
    () => ({
      of: 'answer',
      name: 'age',
      kind: 'text',
      operator: compares,
      values: [random.pick(['7', '18.0'])],
    }),
    () => ({
      of: 'answer',
      name: 'country',
      kind: 'text',
      operator: '~:',
      values: [random.pick(['senor', 'g', '7'])],
    }),
  ])();
}

/** What a filter means, said plainly. */
function holds({ of, name, kind, operator, values }: EventCondition, entity: Entity): boolean {
  const isIn = (texts: readonly (string | null)[]) => texts.some((text) => values.includes(text));
  const compare = (left: number, right: number) =>
    ({ '>': left > right, '<': left < right, '>:': left >= right, '<:': left <= right })[operator as '>'];
  if (of === 'answer') {
    const { country, age, 'a.b': dotted } = entity.answers;
    const answer = {
      country,
      age,
      'a.b': dotted,
      'country.deep': (country as { deep?: string } | null)?.deep,
      'country.1': Array.isArray(country) ? country[1] : undefined,
    }[name];
    const choices = Array.isArray(answer) ? (answer as unknown[]) : answer === undefined ? [] : [answer];
    const texts = choices.filter((choice) => choice !== null && typeof choice !== 'object').map(String);
    if (operator === '~:')
      return texts.some((text) =>
        text
          .normalize('NFD')
          .replace(/[\u0300-\u036f]/g, '')
          .toLowerCase()
          .includes(values[0]!),
      );
    if (operator === ':' || operator === '!:')
      return (texts.length === 0 ? values.includes(null) : isIn(texts)) === (operator === ':');
    return typeof answer === 'number' && compare(answer, Number(values[0]));
  }
  if (of === 'profile') {
    const held = (entity.submitterProfileSnapshot as Record<string, string> | null)?.[name] ?? null;
    return isIn([held]) === (operator === ':');
  }
  const member = entity[name as 'status'] as string | null;
  if (operator === ':' || operator === '!:') return isIn([member]) === (operator === ':');
  return kind === 'time'
    ? compare(Date.parse(member!), Date.parse(values[0]!))
    : compare(Number(member), Number(values[0]));
}

it('of 10,000 endpoints with filters an event reaches those whose filters hold, in one statement', async () => {
  const random = createRandom('filters');
  const tenant = newTenant(world.owner);
  const endpoints = Array.from({ length: 10_000 }, (_, n): ResolvedWebhookEndpoint => ({
    endpointId: newId(),
    url: `http://127.0.0.1:1/${n}`,
    authentication: { type: 'None' },
    ...(n % 10 > 0 && {
      conditions: Array.from({ length: random.between(1, 3) }, () => conditionBy(random)),
    }),
  }));
  const ref = tenant.configure('SubmissionCompleted', endpoints);
  const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
  await storeSettings(world.db, box, { tenantId: tenant.tenantId, ...ref, events });
  const settings = ofOwner();
  const special = await settings.specialTargets(tenant.tenantId, ref, 'submission_completed');
  expect(special).toHaveLength(9_000);

  const sizes = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const { answers, ...entity } = entityBy(random);
    const event = tenant.event();
    const data = { ...event.data, ...entity, jsonData: JSON.stringify(answers) };
    const bytes = Buffer.from(JSON.stringify(data));
    const leftOut = leftOutOf({ formId: tenant.formId, data: bytes }, special);
    const expected = endpoints.filter(
      ({ conditions = [] }) => !conditions.every((each) => holds(each, { answers, ...entity })),
    );
    expect(leftOut.sort()).toEqual(expected.map(({ endpointId }) => endpointId).sort());
    sizes.add(leftOut.length);
    if (round > 0) continue;

    await lostRelay(world.db).take({ ...event, data: data as never }, leftOut);
    const made = await world.db.query<{ endpoint_id: string; made: string }>(
      `select endpoint_id, xmin::text as made from waiting where tenant_id = $1`,
      [tenant.tenantId],
    );
    expect(made.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(
      endpoints.flatMap(({ endpointId }) => (leftOut.includes(endpointId) ? [] : [endpointId])).sort(),
    );
    expect(new Set(made.map((row) => row.made)).size).toBe(1);
  }
  expect(sizes.size).toBeGreaterThan(10);
}, 120_000);
