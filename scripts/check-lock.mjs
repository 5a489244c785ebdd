// Every optional platform package must be in the lock file, or `npm ci` fails on somebody else's machine.
import fs from 'node:fs';

const packages = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')).packages;

function isLocked(dependent, name) {
  for (let at = dependent; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (!at) return false;
  }
}

const missing = Object.entries(packages).flatMap(([dependent, entry]) =>
  Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !isLocked(dependent, name))
    .map((name) => `${name} <- ${dependent || 'root'}`),
);
if (missing.length > 0) {
  console.error(`incomplete lock file: ${missing.join(', ')}`);
  process.exit(1);
}
