import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkoutDir } from '@canvass/infra';
import type { Table } from './report';

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** What V8 writes, as far as it is read here. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

/** Self time of a function, as a share of the time the process worked. */
export interface SelfTime {
  name: string;
  file: string;
  share: number;
}

const idle = new Set(['(idle)', '(program)', '(root)']);

/** Self time by function, the most first; `locate` finds the source of a bundle's position. */
export function selfTimes(
  profile: CpuProfile,
  locate: (frame: CallFrame) => { file: string; name: string },
): { busyShare: number; functions: SelfTime[] } {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const micros = new Map<string, { name: string; file: string; time: number }>();
  let [busy, all] = [0, 0];
  profile.samples.forEach((id, index) => {
    const frame = frames.get(id)!;
    const time = profile.timeDeltas[index] ?? 0;
    all += time;
    if (idle.has(frame.functionName)) return;
    busy += time;
    const { file, name } = locate(frame);
    const known = micros.get(`${file} ${name}`) ?? { name, file, time: 0 };
    known.time += time;
    micros.set(`${file} ${name}`, known);
  });
  const functions = [...micros.values()]
    .sort((a, b) => b.time - a.time)
    .map(({ name, file, time }) => ({ name, file, share: time / busy }));
  return { busyShare: busy / all, functions };
}

/** The functions a process spent most of its time in, as a table, and the share of time it was busy. */
export function topOfProfile(file: string, most = 15): { busyShare: number; table: Table; packages: Table } {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const { busyShare, functions } = selfTimes(profile, createLocator());
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const packages = new Map<string, number>();
  for (const { file: source, share } of functions)
    packages.set(packageOf(source), (packages.get(packageOf(source)) ?? 0) + share);
  return {
    busyShare,
    table: functions.slice(0, most).map(({ name, file: source, share }) => [percent(share), name, source]),
    packages: [...packages]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([name, share]) => [percent(share), name]),
  };
}

/** `node_modules/<name>`, or the folder of the project the file is in. */
function packageOf(file: string): string {
  const external = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file);
  if (external) return external[1]!;
  return /^(?:apps|libs|quality)\/[^/]+/.exec(file)?.[0] ?? file.split('/')[0]!;
}

/** Follows the source maps of bundles; paths are relative to the checkout. */
function createLocator(): (frame: CallFrame) => { file: string; name: string } {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (bundle: string) => {
    if (!maps.has(bundle)) {
      const file = `${bundle}.map`;
      const payload = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload) : null;
      maps.set(bundle, payload && new SourceMap(payload));
    }
    return maps.get(bundle) ?? null;
  };
  return ({ functionName, url, lineNumber, columnNumber }) => {
    const name = functionName === '' ? '(anonymous)' : functionName;
    if (!url.startsWith('file:') && !path.isAbsolute(url)) return { file: url === '' ? '(V8)' : url, name };
    const bundle = url.startsWith('file:') ? fileURLToPath(url) : url;
    const entry = mapOf(bundle)?.findEntry(lineNumber, columnNumber);
    const mapped = entry && 'originalSource' in entry && entry.originalSource !== undefined ? entry : null;
    const line = mapped ? mapped.originalLine : lineNumber;
    const source = mapped ? path.resolve(path.dirname(bundle), mapped.originalSource) : bundle;
    const shown = path.relative(checkoutDir, source);
    return { file: name === '(anonymous)' ? `${shown}:${line + 1}` : shown, name };
  };
}
