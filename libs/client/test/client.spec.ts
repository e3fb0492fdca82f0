import { inspect } from 'node:util';
import { CanvassError, createCanvass, dataOf, itemsOf, serviceAccount } from '../src';
import { answer, serverOf } from './receiver';

let server: Awaited<ReturnType<typeof serverOf>>;
afterEach(() => server.close());

const token = (name: string) => answer(200, { access_token: name, expires_in: 3600, token_type: 'Bearer' });
const sent = () => server.received.map(({ path, headers }) => [path, headers.authorization]);

describe('the token of a service account', () => {
  const clientOf = () => {
    const account = { baseUrl: server.url, clientId: 'sa_1', clientSecret: 'cvs_1', retry: false as const };
    return createCanvass({ baseUrl: server.url, token: serviceAccount(account), retry: false });
  };

  it('is fetched once for requests at the same time, and used again', async () => {
    server = await serverOf(token('one'), answer(200));
    const canvass = clientOf();
    await Promise.all([canvass.GET('/api/forms'), canvass.GET('/api/data-lists')]);
    await canvass.GET('/api/users');
    expect(JSON.parse(server.received[0]!.body)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'sa_1',
      client_secret: 'cvs_1',
    });
    expect(sent().filter(([path]) => path === '/api/auth/token')).toHaveLength(1);
    expect(sent().slice(1)).toEqual(
      expect.arrayContaining([
        ['/api/forms', 'Bearer one'],
        ['/api/data-lists', 'Bearer one'],
        ['/api/users', 'Bearer one'],
      ]),
    );
  });

  it('is fetched again after a 401', async () => {
    server = await serverOf(token('one'), answer(401), token('two'), answer(200));
    const canvass = clientOf();
    await canvass.GET('/api/forms');
    await canvass.GET('/api/forms');
    expect(sent()).toEqual([
      ['/api/auth/token', undefined],
      ['/api/forms', 'Bearer one'],
      ['/api/auth/token', undefined],
      ['/api/forms', 'Bearer two'],
    ]);
  });

  it('is fetched again after it could not be fetched', async () => {
    server = await serverOf(answer(503, { errorCode: 'service_unavailable' }), token('one'), answer(200));
    const canvass = clientOf();
    await expect(canvass.GET('/api/forms')).rejects.toThrow(CanvassError);
    expect((await canvass.GET('/api/forms')).response.status).toBe(200);
  });

  it('is fetched again shortly before it expires', async () => {
    const short = answer(200, { access_token: 'one', expires_in: 0, token_type: 'Bearer' });
    server = await serverOf(short, answer(200), token('two'), answer(200));
    const canvass = clientOf();
    await canvass.GET('/api/forms');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await canvass.GET('/api/forms');
    expect(sent().at(-1)).toEqual(['/api/forms', 'Bearer two']);
  });
});

it('turns a problem into an error that says what happened', async () => {
  const problem = { errorCode: 'not_found', detail: 'The form 7 does not exist.', title: 'Not found' };
  server = await serverOf(answer(404, problem, { 'content-type': 'application/problem+json' }));
  const canvass = createCanvass({ baseUrl: server.url });
  const error = await dataOf(canvass.GET('/api/forms/{formId}', { params: { path: { formId: '7' } } })).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CanvassError);
  expect(error).toMatchObject({
    status: 404,
    errorCode: 'not_found',
    problem,
    message: '/api/forms/7 answered 404 (not_found): The form 7 does not exist.',
  });
  // An uncaught error is printed like this.
  expect(inspect(error).split('\n').length).toBeLessThan(20);
});

it('reads a list page by page', async () => {
  server = await serverOf(
    answer(200, { items: [{ id: '1' }, { id: '2' }], next: 'c1' }),
    answer(200, { items: [{ id: '3' }], next: null }),
  );
  const canvass = createCanvass({ baseUrl: server.url });
  const ids: string[] = [];
  const forms = itemsOf((after) =>
    canvass.GET('/api/forms', { params: { query: { search: 'a', ...after } } }),
  );
  for await (const { id } of forms) ids.push(id);
  expect(ids).toEqual(['1', '2', '3']);
  expect(server.received.map(({ path }) => path)).toEqual([
    '/api/forms?search=a',
    '/api/forms?search=a&after=c1',
  ]);
});
