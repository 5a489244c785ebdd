// Part of `npm run check`: finds migrations that do what their phase forbids.
import fs from 'node:fs';
import path from 'node:path';
import { findingsIn } from './migrations/findings.ts';

const folder = path.resolve(import.meta.dirname, '../../migrations');
const files = fs.readdirSync(folder).filter((name) => name.endsWith('.ts'));
const findings = files.flatMap((file) =>
  findingsIn(file, fs.readFileSync(path.join(folder, file), 'utf8')).map((finding) => `migrations/${file} ${finding}`),
);
for (const finding of findings) console.error(finding);
console.log(`${files.length} migrations: ${findings.length === 0 ? 'each keeps to its phase' : 'see above'}.`);
process.exitCode = findings.length > 0 ? 1 : 0;
