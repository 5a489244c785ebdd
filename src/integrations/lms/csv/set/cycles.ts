// Finds cycles: organizations and terms are trees, so none may be its own ancestor.
import type { CsvFaults } from './faults.ts';
import { readTable } from './table.ts';

export const treeFiles = ['orgs.csv', 'academicSessions.csv'] as const;

/** Records a fault for each row that is its own ancestor. */
export async function checkTree(name: string, pieces: AsyncIterable<Buffer>, faults: CsvFaults): Promise<void> {
  const parents = new Map<string, { readonly parent: string; readonly line: number }>();
  await readTable({ name, needed: ['sourcedId'] }, pieces, faults, (row) => {
    if (row.cell('sourcedId') === '') return;
    parents.set(row.cell('sourcedId'), { parent: row.cell('parentSourcedId'), line: row.line });
  });
  const rooted = new Set<string>();
  for (const id of parents.keys()) {
    const path = new Set<string>();
    let at: string | undefined = id;
    while (at !== undefined && !rooted.has(at) && !path.has(at)) {
      path.add(at);
      at = parents.get(at)?.parent;
    }
    if (at !== undefined && path.has(at)) faults.add(`${name}:${parents.get(at)?.line}:parentSourcedId`, 'cycle');
    for (const one of path) rooted.add(one);
  }
}
