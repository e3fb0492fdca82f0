import { startHarness, type Harness } from './harness';

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

describe('the documentation of the API', () => {
  it("is the gateway's own: no service is asked", async () => {
    const reply = await fetch(`${gateway.url}/api/openapi.json`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(Object.values(gateway.services).flatMap(({ seen }) => seen)).toEqual([]);
    const document = (await reply.json()) as { openapi: string; paths: Record<string, unknown> };
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/api/forms',
        '/api/data-lists/{id}/import',
        '/api/webhooks/deliveries',
        '/api/users',
        '/health/detail',
        '/api/docs',
      ]),
    );
    expect(Object.keys(document.paths).filter((path) => /internal|metrics/.test(path))).toEqual([]);
  });

  it('is a page that may load from and call its own origin only', async () => {
    const reply = await fetch(`${gateway.url}/api/docs`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = reply.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(reply.headers.get('x-frame-options')).toBe('DENY');
    const page = await reply.text();
    const places = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, place]) => place!);
    expect(places).toContain('../assets/swagger-ui-bundle.js');
    for (const place of places.filter((one) => !one.startsWith('data:'))) {
      expect([place, (await fetch(new URL(place, `${gateway.url}/api/docs`))).status]).toEqual([place, 200]);
    }
    expect(page).not.toMatch(/<script>| style=| on[a-z]+="/);
  });

  it('is dark where the system is, and follows it', async () => {
    const script = await (await fetch(`${gateway.url}/assets/docs.js`)).text();
    const classes = new Map<string, boolean>();
    const scheme = { matches: true, changed: () => undefined as void };
    const window = {
      matchMedia: (query: string) => ({
        matches: query === '(prefers-color-scheme: dark)' && scheme.matches,
        addEventListener: (_type: string, listener: () => void) => (scheme.changed = listener),
      }),
      SwaggerUIBundle: () => undefined,
    };
    const root = { classList: { toggle: (name: string, on: boolean) => classes.set(name, on) } };
    const document = { documentElement: root, getElementById: () => root };
    new Function('window', 'document', script)(window, document);
    expect([...classes]).toEqual([['dark-mode', true]]);
    const style = await (await fetch(`${gateway.url}/assets/swagger-ui.css`)).text();
    expect(style).toContain('html.dark-mode{');
  });
});
