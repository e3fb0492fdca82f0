import { fillTenant, startEndpoints, type DemoEndpoints } from '@canvass/demo';
import { clientOf, eventually } from '@canvass/testing';
import type { StackFile as WholeStackFile } from '@canvass/stack';
import path from 'node:path';
import { signIn } from '../src/client';
import { stackFile } from '../src/stack';

let endpoints: DemoEndpoints | undefined;
afterAll(() => endpoints?.close());

interface Numbers {
  forms: string[];
  lists: string[];
  submissions: number;
  submitters: number;
}

it('fills a tenant with forms, submissions of 30 days and endpoints of all kinds, once', async () => {
  const { logs, ...stack } = await stackFile();
  const dir = path.dirname(logs);
  const { stranger } = await signIn();
  const list = async <T>(at: string) => (await stranger.get<{ items: T[] }>(at)).items;
  const numbers = async (): Promise<Numbers> => {
    const forms = await list<{ id: string; name: string }>('/api/forms?limit=100');
    const totals = forms.map(async ({ id }) => {
      const page = await stranger.get<{ total: number }>(`/api/forms/${id}/submissions?limit=1&total=exact`);
      return page.total;
    });
    return {
      forms: forms.map(({ name }) => name),
      lists: (await list<{ name: string }>('/api/data-lists?pageSize=100')).map(({ name }) => name),
      submissions: (await Promise.all(totals)).reduce((sum, total) => sum + total, 0),
      submitters: (await stranger.get<{ total: number }>('/api/submitters?limit=1&total=exact')).total,
    };
  };
  const fill = async () => {
    endpoints ??= await startEndpoints(dir);
    const demo = stack.demo.otherTenant as WholeStackFile['demo'];
    const url = endpoints.url;
    await fillTenant({ ...stack, demo } as WholeStackFile, { dir, endpointsUrl: url, say: () => undefined });
  };

  await fill();
  const first = await numbers();
  expect(first.forms).toEqual(
    expect.arrayContaining([
      'How was your order?',
      'Open Forms Conference 2027',
      'Team pulse',
      'Report a fault',
    ]),
  );
  expect(first.lists).toEqual(expect.arrayContaining(['Cities', 'Countries']));
  expect(first.submissions).toBeGreaterThanOrEqual(2_000);
  expect(first.submitters).toBeGreaterThan(300);
  await fill();
  expect(await numbers()).toEqual(first);

  // The other services know the forms: a form runtime finds countries in another language.
  const forms = await list<{ id: string; name: string; dataListIds: string[] }>('/api/forms?limit=100');
  const form = forms.find(({ name }) => name === 'How was your order?')!;
  const at = `/api/public/forms/${form.id}`;
  const { token } = await clientOf(stack.gatewayUrl).post<{ token: string }>(`${at}/access-tokens`, {});
  const found = await eventually(() =>
    clientOf(stack.gatewayUrl, token).get<{ items: { value: string }[] }>(
      `${at}/data-lists/${form.dataListIds[0]}/search?query=osterreich&locale=de`,
    ),
  );
  expect(found.items.map(({ value }) => value)).toEqual(['AT']);

  const stateOf = async (receiver: string, query: string) => {
    const all = await list<{ id: string; url: string; state: string }>('/api/webhooks/endpoints?limit=100');
    const { id, state } = all.find(({ url }) => url.endsWith(`/${receiver}`))!;
    const deliveries = await list(`/api/webhooks/deliveries?endpointId=${id}&${query}&limit=1`);
    return { state, count: deliveries.length };
  };
  await eventually(
    async () => {
      expect(await stateOf('crm', 'status=delivered')).toEqual({ state: 'enabled', count: 1 });
      expect(await stateOf('warehouse', 'status=delivered')).toEqual({ state: 'enabled', count: 1 });
      expect((await stateOf('newsletter', 'statusCode=503')).count).toBe(1);
      expect(await stateOf('staff-portal', 'status=pending')).toEqual({ state: 'disabled', count: 1 });
    },
    { timeoutMs: 120_000 },
  );
});

interface Summary {
  total: number;
  isExact: boolean;
  questions: {
    type: string;
    path: string | null;
    skipped: number;
    rest: { count: number };
    bars: { value: string; label: string; count: number }[];
  }[];
}

it('has summaries whose bars are as long as the list that they open', async () => {
  const { stranger } = await signIn();
  const { items: forms } = await stranger.get<{ items: { id: string }[] }>('/api/forms?limit=100');
  const sums: [unknown, unknown][] = [];
  const totals: [unknown, unknown][] = [];
  for (const { id } of forms) {
    const only = 'filter=isTestSubmission:false';
    const summary = await stranger.get<Summary>(`/api/forms/${id}/summary?${only}`);
    const totalOf = async (filter: string) => {
      const page = `/api/forms/${id}/submissions?limit=1&total=exact&${only}${filter}`;
      return (await stranger.get<{ total: number }>(page)).total;
    };
    totals.push([
      [summary.total, summary.isExact],
      [await totalOf(''), true],
    ]);
    for (const { type, path: at, bars, rest, skipped } of summary.questions) {
      if (!['radiogroup', 'dropdown', 'boolean', 'rating', 'matrix'].includes(type) || bars.length === 0)
        continue;
      const sum = bars.reduce((total, { count }) => total + count, rest.count + skipped);
      sums.push([
        [at, sum],
        [at, summary.total],
      ]);
      for (const { value, count } of bars.slice(0, 5)) {
        const filter = `&filter=${encodeURIComponent(`answers.${at}:${value}`)}`;
        totals.push([
          [at, value, count],
          [at, value, await totalOf(filter)],
        ]);
      }
    }
  }
  expect(sums.length).toBeGreaterThan(5);
  expect(sums.map(([sum]) => sum)).toEqual(sums.map(([, total]) => total));
  expect(totals.map(([bar]) => bar)).toEqual(totals.map(([, list]) => list));
});
