// Bundles the TypeScript of this repository into programs that Node runs directly. A loader that translates at run time asks
// another thread for each of about 700 files at every start: seconds, against a tenth of a second for the bundle. A build is
// reused until a source changes.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundledPackages } from './packages.mjs';

const repository = path.resolve(import.meta.dirname, '../..');
const outRoot = path.join(repository, '.tmp/programs');
/** Folders of running programs are kept, because later chunks are read on demand. */
const keptBuilds = 3;
const keptMs = 3_600_000;

const sourcesOf = {
  programs: ['src', 'workers', 'migrations', 'scripts', 'bench'],
  tests: ['src', 'workers', 'migrations', 'scripts', 'bench', 'tests'],
};

/**
 * Returns the folder in which `src/main.ts` is `src/main.mjs`, and so on for every entry: `programs` contains what people
 * start, `tests` the test files as well.
 */
export async function buildPrograms(kind) {
  const files = sourcesOf[kind].flatMap(typescriptFiles);
  const folder = path.join(outRoot, `${kind}-${keyOf(files)}`);
  if (!fs.existsSync(folder)) {
    await build(files.filter(isEntry), folder);
    removeOldBuilds(kind);
  }
  return folder;
}

/** Returns the arguments of Node that run a TypeScript entry: its bundle, or the source if there is none. */
export function nodeArguments(folder, entry) {
  const program = path.join(folder, entry.replace(/\.ts$/, '.mjs'));
  return fs.existsSync(program) ? ['--enable-source-maps', program] : ['--import', 'tsx', entry];
}

function typescriptFiles(dir) {
  const full = path.join(repository, dir);
  if (!fs.existsSync(full)) return [];
  return fs
    .readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => path.posix.join(dir, name.replaceAll(path.sep, '/')))
    .sort();
}

/** The entries that are started by name: programs, tests and their runners, and the programs of threads. */
const isEntry = (file) =>
  /^(src|workers)\/main\.ts$|^scripts\/(launch|check|author)\/[^/]+\.ts$|^scripts\/eval\/evaluate\.ts$|^scripts\/test\/(run-tests|host)\.ts$|^tests\/harness\/run-files\/|^bench\/.+\.ts$|\.test\.ts$|\/worker\.ts$/.test(
    file,
  );

function keyOf(files) {
  const hash = createHash('sha256').update(repository + process.version);
  for (const file of ['scripts/launch/programs.mjs', 'scripts/launch/packages.mjs', 'package-lock.json', ...files]) {
    const { mtimeMs, size } = fs.statSync(path.join(repository, file));
    hash.update(`${file}\n${mtimeMs}\n${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds in a temporary folder that is renamed when complete, so that concurrent builds do not conflict. */
async function build(entryPoints, folder) {
  const { build: bundle, stop } = await import('esbuild');
  const draft = `${folder}.${process.pid}`;
  try {
    await bundle({
      absWorkingDir: repository,
      entryPoints,
      outbase: '.',
      outdir: draft,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'linked',
      sourcesContent: false,
      define: { 'process.env.PROGRAMS_FOLDER': JSON.stringify(folder) },
      plugins: [tellingHooks, await bundledPackages(outRoot), sourcePlaces],
      logLevel: 'warning',
    });
    fs.renameSync(draft, folder);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  } finally {
    // esbuild's helper process would live as long as this process.
    await stop();
  }
}

/** Test files import uvu through a file of ours. */
const ownUvu = path.join(repository, 'scripts/test/uvu.ts');
const tellingHooks = {
  name: 'telling hooks',
  setup(context) {
    context.onResolve({ filter: /^uvu$/ }, ({ importer }) =>
      importer === ownUvu ? { path: 'uvu', external: true } : { path: ownUvu },
    );
  },
};

/** The text is in two parts, because this file is bundled like any other. */
const meta = ['import', 'meta'].join('.');

/** A module that looks for a file beside itself means beside its source. */
const sourcePlaces = {
  name: 'source locations',
  setup(context) {
    context.onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path: file }) => {
      const text = await fs.promises.readFile(file, 'utf8');
      if (!text.includes(meta)) return undefined;
      const contents = text
        .replaceAll(`${meta}.dirname`, JSON.stringify(path.dirname(file)))
        .replaceAll(`${meta}.url`, JSON.stringify(pathToFileURL(file).href));
      return { contents, loader: file.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

function removeOldBuilds(kind) {
  const builds = fs
    .readdirSync(outRoot)
    .filter((name) => name.startsWith(`${kind}-`))
    .map((name) => ({ name, at: fs.statSync(path.join(outRoot, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  const old = builds.slice(keptBuilds).filter(({ at }) => Date.now() - at > keptMs);
  for (const { name } of old) fs.rmSync(path.join(outRoot, name), { recursive: true, force: true });
}
