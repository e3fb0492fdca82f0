import type { IdentitySettings } from '../src/config';
import { operate } from '../src/operate';

/** Runs `ops … --json` as the command line does, on the database of a spec. */
export async function runOps(settings: IdentitySettings, ...argv: string[]) {
  const written = { output: '', said: '' };
  const status = await operate([...argv, '--json'], settings, {
    output: { write: (text) => (written.output += text) },
    screen: { write: (text) => (written.said += text) },
  });
  const lines = written.output.split('\n').filter((line) => line !== '');
  const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { status, rows, said: written.said };
}
