// The previous release, by its schema: the newest commit before the last migration that a start runs, all of whose own
// migrations still exist. It is checked out into a folder, so that its tests can run on today's schema.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrationFile, phaseOf } from '#core/platform/migrations/phases.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const mostCommits = 50;
/** Far more than an archive of the sources. */
const maxBuffer = 512 * 1024 * 1024;

const quiet = { cwd: repository, maxBuffer, stdio: ['ignore', 'pipe', 'ignore'] as ('ignore' | 'pipe')[] };
const git = (...argv: readonly string[]): string => execFileSync('git', argv, quiet).toString();
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/**
 * Returns the commit; PREVIOUS_RELEASE names another one. Undefined if git or its history is missing (an archive, a shallow
 * clone).
 */
export function previousRelease(): string | undefined {
  const { PREVIOUS_RELEASE: named } = process.env;
  if (named) return git('rev-parse', '--verify', `${named}^{commit}`).trim();
  try {
    const here = new Set(
      fs.readdirSync(path.join(repository, 'migrations')).filter((name) => migrationFile.test(name)),
    );
    const changes = linesOf(git('log', `-${mostCommits}`, '--format=%H', '--', 'migrations/*.ts', ':!migrations/sql'));
    return changes.map((commit) => `${commit}^`).find((before) => isBehind(migrationsAt(before), here));
  } catch {
    return undefined;
  }
}

const migrationsAt = (commit: string): string[] =>
  linesOf(git('ls-tree', '--name-only', commit, 'migrations/'))
    .map((file) => path.basename(file))
    .filter((name) => migrationFile.test(name));

/** Returns the migrations that run at a start; contract migrations do not run while processes of the previous release go on. */
const runAtStart = (names: Iterable<string>): string[] =>
  [...names].filter((name) => phaseOf(path.basename(name, '.ts')) !== 'contract');

const isBehind = (names: readonly string[], here: ReadonlySet<string>): boolean =>
  runAtStart(names).length < runAtStart(here).length && names.every((name) => here.has(name));

export interface Release {
  readonly folder: string;
  /** The folder of its built tests and programs. */
  readonly programs: string;
  remove(): void;
}

/** Returns the path of one of our files in that release: before the areas, capabilities and programs were one level higher. */
export function pathIn({ folder }: Pick<Release, 'folder'>, file: string): string | undefined {
  const before = file.replace(/^tests\/[a-z]+\/(?=[a-z-]+\/)/, 'tests/').replace(/^scripts\/launch\//, 'scripts/');
  return [file, before].find((candidate) => fs.existsSync(path.join(folder, candidate)));
}

/** Checks out the sources with the packages that they need, and builds them. */
export function checkOut(commit: string): Release {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-release-'));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync('git', ['archive', '--format=tar', commit], quiet);
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    installPackages(folder);
    return { folder, programs: builtIn(folder), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Links our packages if both releases need the same ones, else installs its own, as a first start would. */
function installPackages(folder: string): void {
  if (packagesOf(folder) === packagesOf(repository)) {
    fs.symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
    return;
  }
  const argv = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', argv, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the packages of the previous release could not be installed');
}

/** Returns the locked packages without the version of the service itself. */
function packagesOf(folder: string): string {
  const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  const { '': own, ...packages } = lock.packages;
  return JSON.stringify([packages, own.dependencies, own.devDependencies]);
}

const builtIn = (folder: string): string => {
  const builder = pathIn({ folder }, 'scripts/launch/programs.mjs');
  const build = `import('./${builder}').then((m) => m.buildPrograms('tests')).then(console.log)`;
  return execFileSync(process.execPath, ['-e', build], { cwd: folder }).toString().trim();
};
