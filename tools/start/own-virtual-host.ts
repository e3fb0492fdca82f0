/**
 * Creates a virtual host on a broker that others use; gives its URL.
 *
 * @throws {Error} when the broker has no management API
 */
export async function ownVirtualHost(
  amqpUrl: string,
  managementUrl: string | null,
  name: string,
): Promise<string> {
  if (managementUrl === null)
    throw new Error('a broker without a management API has no virtual hosts to give');
  const management = new URL(managementUrl);
  const login = `${decodeURIComponent(management.username)}:${decodeURIComponent(management.password)}`;
  const headers = {
    authorization: `Basic ${Buffer.from(login).toString('base64')}`,
    'content-type': 'application/json',
  };
  const put = async (place: string, body: object) => {
    const answer = await fetch(`${management.origin}/api${place}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`PUT ${place}: ${answer.status} ${await answer.text()}`);
  };
  await put(`/vhosts/${name}`, {});
  await put(`/permissions/${name}/${management.username}`, { configure: '.*', write: '.*', read: '.*' });
  const url = new URL(amqpUrl);
  url.pathname = `/${name}`;
  return url.href;
}
