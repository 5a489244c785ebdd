// `npm run samples`: writes a document of every kind to `samples/`, for inspection and printing. It needs no database and no
// clock.
import fs from 'node:fs/promises';
import path from 'node:path';
import { samples } from './samples/samples.ts';

const dir = path.resolve(process.argv[2] ?? 'samples');
await fs.mkdir(dir, { recursive: true });
for (const { name, make } of await samples()) {
  const bytes = await make();
  await fs.writeFile(path.join(dir, name), bytes);
  console.log(`${path.join(dir, name)}  ${Math.ceil(bytes.length / 1000)} kB`);
}
