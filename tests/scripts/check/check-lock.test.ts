// A lock file that npm would reject on another platform is found without an installation.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

interface LockFile {
  readonly packages: Readonly<Record<string, Package>>;
}

interface Package {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const engine = '@gorules/zen-engine';
const shipped = JSON.parse(fs.readFileSync('bench/package-lock.json', 'utf8')) as LockFile;
const version = shipped.packages[`node_modules/${engine}`]?.version ?? '';
const folders: string[] = [];
test.after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** The engine and all its dependencies, on every platform. */
function withDependencies(name: string, found = new Map<string, Package>()): Map<string, Package> {
  const entry = shipped.packages[`node_modules/${name}`];
  if (entry === undefined || found.has(name)) return found;
  found.set(name, entry);
  const needed = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
  for (const next of Object.keys(needed)) withDependencies(next, found);
  return found;
}

/** The engine alone, as the benchmarks lock it, without the named packages. */
function check({ without = [], wanted = version }: { without?: readonly string[]; wanted?: string }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-lock-test-'));
  folders.push(folder);
  const manifest = { name: 'locked', version: '1.0.0', dependencies: { [engine]: wanted } };
  const packages = [...withDependencies(engine)]
    .filter(([name]) => !without.some((left) => name.endsWith(left)))
    .map(([name, entry]) => [`node_modules/${name}`, entry] as const);
  const locked = { ...manifest, dependencies: { [engine]: version } };
  const lock = { name: 'locked', version: '1.0.0', lockfileVersion: 3, requires: true };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const lockFile = path.join(folder, 'package-lock.json');
  fs.writeFileSync(lockFile, JSON.stringify({ ...lock, packages: { '': locked, ...Object.fromEntries(packages) } }));
  return spawnSync(process.execPath, ['scripts/check/lock.mjs', lockFile], { encoding: 'utf8' });
}

test('a complete lock file passes', () => {
  const { status, stderr } = check({});
  assert.is(status, 0, stderr);
});

test('a missing package of another platform is named, by npm as well', () => {
  const { status, stderr } = check({ without: ['zen-engine-darwin-arm64'] });
  assert.is(status, 1);
  assert.match(stderr, 'is incomplete: @gorules/zen-engine-darwin-arm64 <- node_modules/@gorules/zen-engine');
  assert.match(stderr, 'npm ci in');
});

test('a lock file that does not fit its package.json is refused', () => {
  const { status, stderr } = check({ wanted: '0.1.0' });
  assert.is(status, 1);
  assert.match(stderr, 'npm ci in');
});

test.run();
