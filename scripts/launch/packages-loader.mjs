// Loads packages from the bundle beside this file, with V8's code cache of it. Run as a program, it loads the named packages
// and stores that cache.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const self = fileURLToPath(import.meta.url);
const file = path.join(path.dirname(self), 'packages.cjs');
const codeFile = path.join(path.dirname(self), 'packages.code');

const script = new vm.Script(`(function (module, require) {${fs.readFileSync(file, 'utf8')}\n})`, {
  filename: file,
  cachedData: fs.existsSync(codeFile) ? fs.readFileSync(codeFile) : undefined,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const bundled = { exports: {} };
script.runInThisContext()(bundled, createRequire(file));

export const load = (name) => bundled.exports[name]();

if (process.argv[1] === self) {
  for (const name of process.argv.slice(2)) load(name);
  fs.writeFileSync(codeFile, script.createCachedData());
}
