import { buildBundle } from '@canvass/testing';
import path from 'node:path';

const example = (name: string) => path.join(__dirname, '../../../docs/examples/extensions', name);

it('the gateway, too, takes a health check and a response writer by configuration', async () => {
  const bundle = buildBundle('gateway');
  const unused = 'http://127.0.0.1:9';
  try {
    const { url } = await bundle.start({
      Service__Gateway__Services__Submissions: unused,
      Service__Gateway__Services__DataLists: unused,
      Service__Gateway__Services__WebHookRelay: unused,
      Service__Health__Checks: JSON.stringify([example('directory-check.mjs')]),
      Service__Health__Writer: example('health-json-writer.cjs'),
      DIRECTORY_URL: unused,
    });
    const answer = await fetch(`${url}/health`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/health+json']);
    expect(await answer.json()).toMatchObject({
      serviceId: 'gateway',
      checks: { routing: [{ status: 'pass' }], 'staff-directory': [{ status: 'warn' }] },
    });
  } finally {
    await bundle.remove();
  }
});
