import { eventually, type Answer } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { enter, loaded, startStage, type Stage } from '../src/console';
import { joined, probes, storable } from '../src/probes';
import { startReceiver, type Receiver } from '../src/receiver';

/**
 * Texts of strangers in every place that takes one, and every page that shows one: nothing runs, the
 * policy is kept, and the layout holds.
 */

let stage: Stage;
let receiver: Receiver;
let pages: string[];
let stored: Record<string, number>;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
  [pages, stored] = await fill();
});
afterAll(() => Promise.all([stage.close(), receiver.sink.close()]));

/** Stores the probes. Returns the pages that show them, and how many of them each place took. */
async function fill(): Promise<[string[], Record<string, number>]> {
  const { admin, integration, anonymous } = stage.callers;
  const counts: Record<string, number> = {};
  const ids: Record<string, string[]> = {};
  /** A place may refuse a text as invalid, and must not fail. */
  const took = (place: string, { status, body }: Answer<Record<string, unknown>>) => {
    if (status >= 500) throw new Error(`${place} answered ${status}.`);
    if (status >= 300) return;
    counts[place] = (counts[place] ?? 0) + 1;
    (ids[place] ??= []).push(String(body['id']));
  };
  const post = async (place: string, path: string, body: object, caller = admin) =>
    took(place, await caller.call('POST', path, body));

  // A receiver answers with probes, too.
  const visible = probes.map((text) => text.replaceAll(/[^ -~]/g, '')).filter((text) => text.length < 200);
  receiver.sink.respond(() => ({
    status: 500,
    headers: Object.fromEntries(visible.map((text, n) => [`x-probe-${n}`, text])),
    body: probes.filter((text) => text.length < 500).join('\n'),
  }));
  const asked = joined(300);
  const definition = {
    title: asked.join(' '),
    elements: [
      ...asked.map((text, n) => ({ type: 'text', name: `q${n}`, title: text, description: text })),
      {
        type: 'dropdown',
        name: 'choice',
        title: 'Choice',
        choices: storable.map((text, n) => ({ value: `v${n}`, text })),
      },
      ...storable.map((text) => ({ type: 'text', name: text, title: text })),
    ],
  };
  const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: `Probes ${randomUUID()}`,
    isEnabled: true,
    definition,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
  });
  for (const text of joined(190)) {
    await post('name of a form', '/api/forms', { name: text });
    await post('name of a list', '/api/data-lists', { name: text, description: text });
    await post('name of a view', '/api/views', {
      screen: 'forms',
      name: text.slice(0, 100),
      visibility: 'tenant',
      settings: {},
    });
    const user = { email: `${randomUUID()}@demo.example`, password: randomUUID(), roles: [] };
    await post('name of a user', '/api/users', { ...user, name: text });
    await post('name of an account', '/api/service-accounts', { name: text });
    took('description of a form', await admin.call('PATCH', `/api/forms/${formId}`, { description: text }));
  }
  const answers = Object.fromEntries([
    ...storable.map((text) => [text, text] as const),
    ...asked.map((text, n) => [`q${n}`, text] as const),
    ['choice', 'v1'],
    ['long', 'W'.repeat(1_000_000)],
  ]);
  const jsonData = JSON.stringify(answers);
  for (const text of probes) {
    await post(
      'display id',
      `/forms/${formId}/submissions/onbehalf`,
      {
        jsonData: JSON.stringify({ choice: text, q0: text }),
        isComplete: true,
        submitter: {
          externalSubjectId: randomUUID(),
          displayId: text,
          profile: { department: text, [text]: text },
        },
      },
      integration,
    );
  }
  await post('answer', `/api/forms/${formId}/submissions`, { jsonData, isComplete: true }, anonymous);
  const { id: listId } = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: `Probes ${randomUUID()}`,
    availableLocales: ['de'],
  });
  for (const text of probes) {
    const items = [{ value: text, labels: { default: text, de: text } }];
    const answer = await admin.call('PUT', `/api/data-lists/${listId}/import?dryRun=true`, { items });
    if (answer.status === 200) counts['item'] = (counts['item'] ?? 0) + 1;
  }
  const items = storable
    .filter((text) => text.trim() === text && text.length < 500)
    .map((text) => ({ value: text.slice(0, 200), labels: { default: text, de: text } }));
  await admin.expect(200, 'PUT', `/api/data-lists/${listId}/import`, { items });
  for (const text of joined(400)) {
    await post('reason', '/api/webhooks/recoveries', { mode: 'failed', filter: { formId }, reason: text });
  }
  const first = async (path: string) =>
    (await admin.get<{ items: { id: string; submitterId?: string; endpointId?: string }[] }>(path)).items[0]!;
  const delivery = await eventually(async () => {
    const found = await first(`/api/webhooks/deliveries?formId=${formId}&minAttempts=1&limit=1`);
    return found ?? Promise.reject(new Error('no delivery yet'));
  });
  const own = (place: string) => ids[place]?.[0] ?? '0';
  const query = encodeURIComponent(probes[1]!);
  const submissions = ids['display id']!.slice(0, 1).concat(ids['answer'] ?? []);
  const person = await first(`/api/forms/${formId}/submissions?limit=1&sortBy=id&sortDir=asc`);
  return [
    [
      '/',
      `/forms?search=${query}`,
      '/forms',
      ...['definition', 'versions', 'numbers', 'settings', 'webhook-settings', 'submissions'].map(
        (end) => `/forms/${formId}/${end}`,
      ),
      `/forms/${formId}/submissions?search=${query}`,
      ...submissions.map((id) => `/forms/${formId}/submissions/${id}`),
      '/deliveries',
      `/deliveries/${delivery.id}`,
      '/recoveries',
      `/recoveries/${own('reason')}`,
      '/endpoints',
      `/endpoints/${delivery.endpointId}`,
      '/submitters',
      `/submitters/${person.submitterId}`,
      '/data-lists',
      ...['', '/search?query=img', '/versions', '/import', '/settings'].map(
        (end) => `/data-lists/${listId}${end}`,
      ),
      `/data-lists/${own('name of a list')}`,
      '/jobs',
      '/users',
      `/users/${own('name of a user')}`,
      '/service-accounts',
      `/service-accounts/${own('name of an account')}`,
      '/audit',
      `/forms/${query}`,
      `/${query}`,
    ],
    counts,
  ];
}

/** Lists what a page does wrong with texts of strangers, as it is now. */
const faultsOf = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const faults = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) {
      const wide = [...document.querySelectorAll('body *')].filter((own) => own.getBoundingClientRect().right > clientWidth + 1);
      faults.push('wider than the window by ' + (scrollWidth - clientWidth) + ' px: ' +
        wide.slice(0, 3).map((own) => own.tagName + '.' + own.className).join(', '));
    }
    for (const { href } of document.querySelectorAll('a')) {
      if (!/^(https?:|otpauth:|$)/.test(href)) faults.push('a link to ' + href);
    }
    const shown = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = shown.nextNode(); node !== null; node = shown.nextNode()) {
      const { textContent: text, parentElement: parent } = node;
      if (parent.closest('textarea, option, .cm-content, script') !== null) continue;
      if (/[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u202a-\\u202e\\u2066-\\u2069]/.test(text))
        faults.push('an invisible character in ' + parent.tagName + ' ' + parent.className + ': ' + JSON.stringify(text.slice(0, 80)));
    }
    return [...new Set(faults)];
  })()`);

it('every place takes probes', () => {
  const places = [
    'name of a form',
    'name of a list',
    'name of a user',
    'name of an account',
    'name of a view',
  ];
  for (const place of places) expect([place, stored[place]! >= 5]).toEqual([place, true]);
  for (const place of ['display id', 'item']) expect([place, stored[place]! >= 50]).toEqual([place, true]);
  expect(stored['answer']).toBe(1);
  expect(stored['reason']).toBeGreaterThanOrEqual(5);
});

it('no page runs a text, breaks its policy, or loses its layout', async () => {
  const user = await stage.newUser(['Admin']);
  const faults: Record<string, string[]> = {};
  await stage.journey(async (window) => {
    const ran: string[] = [];
    await window.context.exposeBinding('ran', (_, number: number) => void ran.push(`probe ${number} ran`));
    await enter(window, user);
    const { page } = window;
    for (const path of pages) {
      await window.open(path);
      await loaded(page);
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        const found = [...(await faultsOf(page)), ...ran.splice(0)];
        if (found.length > 0) faults[`${path} (${width} pixels)`] = found;
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    expect(faults).toEqual({});
  });
});
