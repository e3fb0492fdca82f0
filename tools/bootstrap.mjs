#!/usr/bin/env node
// The door of `npm start` and `npm test`. Plain JavaScript without dependencies, because it has to run
// before there are any: checks Node, installs what package-lock.json names if that has not been done, then
// runs the command.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const commands = {
  start: 'tools/start/main.ts',
  test: 'tools/test/main.ts',
  ops: 'tools/ops/main.ts',
  chaos: 'quality/chaos/main.ts',
  bench: 'quality/bench/main.ts',
  prove: 'quality/proofs/main.ts',
  release: 'build/release/main.ts',
  pictures: 'build/pictures/main.ts',
};
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const stamp = path.join(checkout, 'node_modules', '.canvass-lock-hash');

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(
      `Canvass needs Node 20.19 or newer and this is ${process.versions.node}: install one from https://nodejs.org/.`,
    );
  }
}

async function installDependencies() {
  const hash = createHash('sha256')
    .update(readFileSync(path.join(checkout, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stdout.write('Installing the dependencies (npm ci), which takes minutes the first time …\n');
  const started = Date.now();
  const result = await npmCi();
  if (result.status !== 0) {
    const output = `${result.stdout}${result.stderr}`;
    const noNetwork = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ECONNRESET|ENOTCACHED/.exec(
      output,
    );
    if (noNetwork) {
      fail(
        `The dependencies cannot be downloaded (${noNetwork[0]}): connect this machine to the npm registry and run it again.`,
      );
    }
    fail(`${output.trim().split('\n').slice(-15).join('\n')}\nnpm ci failed: see the lines above.`);
  }
  writeFileSync(stamp, hash);
  process.stdout.write(`  done in ${((Date.now() - started) / 1000).toFixed(0)} s\n`);
}

/** Points git at the hooks of this repository, unless other hooks are configured. Without git there is nothing to do. */
function installHooks() {
  const git = (...args) => spawnSync('git', args, { cwd: checkout, encoding: 'utf8' });
  if (git('config', '--get', 'core.hooksPath').status === 1) git('config', 'core.hooksPath', '.githooks');
}

/**
 * Runs `npm ci` and returns its output. After Ctrl-C, npm removes what it has half installed. This waits for
 * that, because a second npm would fail meanwhile.
 */
function npmCi() {
  const child = spawn(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm start hands its own settings on; a surrounding --omit or --dry-run must not reach this one.
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^npm_config_(omit|dry_run|production)$/i.test(name)),
      ),
    },
  );
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (printed[name] += chunk));
  let ending;
  for (const signal of endingSignals)
    process.on(signal, () => {
      if (ending === undefined)
        process.stdout.write('\nStopping npm, which removes what is half installed …\n');
      ending = signal;
      child.kill(signal);
    });
  return new Promise((resolve) => {
    child.on('error', ({ message }) =>
      fail(`npm is not on the PATH (${message}): install Node.js together with npm.`),
    );
    child.on('close', (status) => {
      if (ending !== undefined) process.exit(128 + os.constants.signals[ending]);
      for (const signal of endingSignals) process.removeAllListeners(signal);
      resolve({ status, ...printed });
    });
  });
}

/** Runs the command with our terminal; ends as it ends. Signals sent to us alone are handed on. */
function run(command, args) {
  const main = path.join(checkout, commands[command]);
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    cwd: checkout,
    stdio: 'inherit',
  });
  for (const signal of endingSignals) {
    // Ctrl-C reaches the child by itself, as part of the terminal's foreground group; a second copy is
    // harmless.
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => fail(`Node cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
}

const [command, ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, command ?? '')) {
  fail(`usage: node tools/bootstrap.mjs <${Object.keys(commands).join('|')}> [options]`);
}
checkNode();
await installDependencies();
installHooks();
run(command, args);
