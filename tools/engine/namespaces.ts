import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endingSignals, onPath, SetupError, withLock } from '../infra';
import { engineLock, enginePrograms, type EnginePrograms } from './programs';

/** Mounts and processes of its own: all of it ends with the first process, even after `kill -9`. */
const apart = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** A script of what an engine does with the kernel: cables, bridges, packet filters, layered file systems. */
const trial = `
  set -e
  ip link add cable type veth peer name plug
  ip link add bridge0 type bridge
  mkdir lower upper work merged
  mount -t tmpfs tmpfs upper
  mkdir upper/upper upper/work
  mount -t overlay overlay -o lowerdir=lower,upperdir=upper/upper,workdir=upper/work merged
  iptables --table nat --new-chain TRIAL
`;

/**
 * Runs `use` with the programs of an engine, one at a time in this checkout. Downloads them first. Where the
 * machine cannot run an engine, it prints the reason instead.
 *
 * @param further another reason why the caller cannot run, or null
 * @returns the exit status; 0 if it was skipped
 */
export function withEnginePrograms(
  say: (line: string) => void,
  use: (programs: EnginePrograms) => Promise<number>,
  further: (programs: EnginePrograms) => Promise<string | null> = () => Promise.resolve(null),
): Promise<number> {
  return withLock(engineLock, async () => {
    const programs = await programsOrReason(say);
    const reason = typeof programs === 'string' ? programs : await further(programs);
    if (typeof programs !== 'string' && reason === null) return use(programs);
    say(`skipped: ${reason}`);
    return 0;
  });
}

/** The programs of an engine, or why this machine cannot run one. */
async function programsOrReason(say: (line: string) => void): Promise<EnginePrograms | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'an engine needs root on Linux';
  const missing = ['unshare', 'ip', 'apt-get', 'dpkg', 'perl'].find((name) => onPath(name) === undefined);
  if (missing !== undefined) return `an engine needs the program ${missing}`;
  try {
    const programs = await enginePrograms(say);
    return kernelObstacle(programs) ?? programs;
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
}

/** Names what the kernel refuses of what an engine does, or null. */
function kernelObstacle({ bin }: EnginePrograms): string | null {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'canvass-trial-'));
  try {
    const { status, stderr, error } = spawnSync('unshare', ['--net', ...apart, 'sh', '-c', trial], {
      cwd,
      env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
      encoding: 'utf8',
    });
    if (status === 0) return null;
    const reason = error?.message ?? stderr.trim().split('\n').at(-1);
    return `an engine needs namespaces, overlay, veth, bridge and nf_tables of Linux (${reason})`;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/**
 * Runs a program of this checkout in namespaces of its own and returns its exit status. The program must end
 * when its standard input does: then this process was killed, or got a signal to end.
 *
 * @param network `machine`: that of this machine; `own`: an empty one, where no port is in use and no
 * network leads out
 */
export async function inNamespaces(
  programs: EnginePrograms,
  network: 'machine' | 'own',
  args: readonly string[],
): Promise<number> {
  const flags = network === 'own' ? ['--net', ...apart] : apart;
  // The first process has to reap those whose parents ended; Node does not.
  const again = [programs.init, '--', process.execPath, '--import', 'tsx', ...args];
  const child = spawn('unshare', [...flags, ...again], { stdio: ['pipe', 'inherit', 'inherit'] });
  // The caller lives on, and cleans up.
  const end = () => child.stdin.end();
  for (const signal of endingSignals) process.on(signal, end);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of endingSignals) process.off(signal, end);
  return code ?? 1;
}
