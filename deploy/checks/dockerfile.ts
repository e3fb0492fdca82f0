import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { deployableApps } from './app-config';
import type { Fault } from './fault';

const file = 'Dockerfile';

interface Instruction {
  name: string;
  value: string;
}

/** Checks the Dockerfile for what an engine would find only when it builds: stages, copied paths, the user. */
export function checkDockerfile(root: string): Fault[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const instructions = instructionsOf(text);
  const faults: string[] = [];
  const stages = new Set<string>();
  for (const { name, value } of instructions) {
    if (name === 'FROM') {
      const stage = / AS (\S+)$/i.exec(value)?.[1];
      if (stage !== undefined) stages.add(stage);
    }
    if (name === 'COPY') faults.push(...copyFaults(root, value, stages));
  }
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
  const user = last.findLast(({ name }) => name === 'USER')?.value;
  if (!/^[1-9]\d*(:[1-9]\d*)?$/.test(user ?? ''))
    faults.push('the last stage does not run as a user with a number other than 0');
  const app = last
    .find(({ name, value }) => name === 'ARG' && value.startsWith('APP='))
    ?.value.slice('APP='.length);
  if (app === undefined || !deployableApps().includes(app))
    faults.push(`ARG APP is ${app ?? 'missing'}, which is no app`);
  if (!last.some(({ name, value }) => name === 'CMD' && value.includes('exec node'))) {
    faults.push('CMD does not put node in the place of the shell; it would not get SIGTERM');
  }
  return faults.map((message) => ({ file, message }));
}

function copyFaults(root: string, value: string, stages: ReadonlySet<string>): string[] {
  const from = /--from=(\S+)/.exec(value)?.[1];
  if (from !== undefined) return stages.has(from) ? [] : [`copies from ${from}, which is no stage before it`];
  const sources = value
    .split(/\s+/)
    .filter((word) => !word.startsWith('--'))
    .slice(0, -1);
  return sources
    .filter((source) => source !== '.' && !existsSync(path.join(root, source)) && !isOfCheckout(source))
    .map((source) => `copies ${source}, which does not exist`);
}

/** A spec checks a copy of the deployment files alone. */
function isOfCheckout(source: string): boolean {
  return existsSync(path.join(__dirname, '../..', source));
}

function instructionsOf(text: string): Instruction[] {
  return text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim()))
    .filter((match) => match !== null)
    .map(([, name, value]) => ({ name: name!, value: value!.trim() }));
}
