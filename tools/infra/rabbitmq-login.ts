import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { readJson, writeJson } from './checkout';

/** Login of a RabbitMQ server of our own. */
export interface RabbitLogin {
  user: string;
  password: string;
}

/**
 * Reads `<dir>/rabbitmq.json` (mode 0600), or creates it with a random password. Other users of the machine can
 * connect to the port.
 *
 * @param dir folder of the stack
 */
export function rabbitLogin(dir: string): RabbitLogin {
  const file = path.join(dir, 'rabbitmq.json');
  const known = readJson<RabbitLogin>(file);
  if (known !== null) return known;
  const login = { user: 'canvass', password: randomBytes(16).toString('hex') };
  writeJson(file, login, 0o600);
  return login;
}
