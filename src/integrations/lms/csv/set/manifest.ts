// Reads the manifest of a set: its version and the mode of each file.
import type { CsvFaults } from './faults.ts';
import { readTable } from './table.ts';

const modes = ['bulk', 'delta', 'absent'] as const;
type Mode = (typeof modes)[number];

export type SetVersion = '1.1' | '1.2';

export interface Manifest {
  readonly version: SetVersion;
  /** `bulk`: the file replaces the stored rows. `delta`: the file changes them. A file that is not named is absent. */
  modeOf(file: string): Mode;
}

const manifestName = 'manifest.csv';

/** Returns undefined, with the faults recorded, when the version is unknown. */
export async function readManifest(pieces: AsyncIterable<Buffer>, faults: CsvFaults): Promise<Manifest | undefined> {
  const properties = new Map<string, { readonly value: string; readonly line: number }>();
  const table = { name: manifestName, needed: ['propertyName', 'value'] };
  await readTable(table, pieces, faults, (row) => {
    const name = row.cell('propertyName');
    if (properties.has(name)) faults.add(`${manifestName}:${row.line}:propertyName`, 'duplicate_property');
    properties.set(name, { value: row.cell('value').toLowerCase(), line: row.line });
  });
  for (const [name, { value, line }] of properties) {
    if (name.startsWith('file.') && !isMode(value)) faults.add(`${manifestName}:${line}:value`, 'unknown_mode');
  }
  const version = properties.get('oneroster.version');
  if (version?.value !== '1.1' && version?.value !== '1.2') {
    faults.add(version ? `${manifestName}:${version.line}:value` : manifestName, 'unknown_version');
    return undefined;
  }
  return {
    version: version.value,
    modeOf: (file) => {
      const value = properties.get(`file.${file}`)?.value ?? 'absent';
      return isMode(value) ? value : 'absent';
    },
  };
}

const isMode = (value: string): value is Mode => modes.some((mode) => mode === value);
