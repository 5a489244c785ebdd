// Loads packages from the bundle beside this file, with the code that V8 made of it the last time. Run as a program, it
// loads the packages that are named and stores that code.
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
const doors = { exports: {} };
script.runInThisContext()(doors, createRequire(file));

export const load = (name) => doors.exports[name]();

if (process.argv[1] === self) {
  for (const name of process.argv.slice(2)) load(name);
  fs.writeFileSync(codeFile, script.createCachedData());
}
