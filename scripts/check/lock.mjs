// Checks that every lock file is complete, without which `npm ci` fails on other machines: npm rejects one that lacks an
// optional package of another platform, or that does not fit its package.json. npm computes what it would install, and installs
// nothing; a file that has passed is not checked again until it changes. Arguments name lock files; default: all files that git
// tracks.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const passedFile = '.tmp/lock-files-installed.json';
const named = process.argv.slice(2);
const lockFiles = named.length > 0 ? named : lockFilesOfGit();
const passed = readPassed();
const faults = lockFiles.flatMap((file) => [...missingIn(file), ...refusedByNpm(path.dirname(file))]);
if (named.length === 0) rememberPassed();
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

function lockFilesOfGit() {
  const argv = ['ls-files', '--', 'package-lock.json', '**/package-lock.json'];
  return execFileSync('git', argv, { encoding: 'utf8' }).trim().split('\n');
}

function missingIn(file) {
  const packages = JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  const isLocked = (dependent, name) => {
    for (let at = dependent; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
      if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
      if (!at) return false;
    }
  };
  return Object.entries(packages).flatMap(([dependent, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(dependent, name))
      .map((name) => `${file} is incomplete: ${name} <- ${dependent || 'root'}`),
  );
}

/** Computes a clean install into an empty folder and compares it with the lock file, as npm does before it installs. */
function refusedByNpm(folder) {
  const manifests = ['package.json', 'package-lock.json'];
  const hash = createHash('sha256');
  for (const name of manifests) hash.update(fs.readFileSync(path.join(folder, name)));
  const state = hash.digest('hex');
  if (passed[folder] === state) return [];
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-lock-'));
  try {
    for (const name of manifests) fs.copyFileSync(path.join(folder, name), path.join(copy, name));
    const { status, stdout, stderr } = plannedInstall(copy);
    if (status !== 0) return [`npm ci in ${folder}: ${stdout}${stderr}`.trim()];
    passed[folder] = state;
    return [];
  } finally {
    fs.rmSync(copy, { recursive: true, force: true });
  }
}

function plannedInstall(cwd) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const argv = [
    'ci',
    '--dry-run',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ];
  return spawnSync(command, [...first, ...argv], { cwd, encoding: 'utf8' });
}

function rememberPassed() {
  fs.mkdirSync(path.dirname(passedFile), { recursive: true });
  fs.writeFileSync(passedFile, JSON.stringify(passed, null, 1));
}

function readPassed() {
  try {
    return JSON.parse(fs.readFileSync(passedFile, 'utf8'));
  } catch {
    return {};
  }
}
