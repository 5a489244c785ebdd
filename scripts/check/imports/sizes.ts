// Folders with many files, which are no fault: a folder is split if it has a second idea, not because it is long.
import path from 'node:path';
import { mostFiles } from './layers.ts';

/** Returns the folders with more than `mostFiles` files directly in them. */
export function largeFolders(files: readonly string[]): { readonly folder: string; readonly files: number }[] {
  const counts = new Map<string, number>();
  for (const folder of files.map((file) => path.posix.dirname(file))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > mostFiles).map(([folder, count]) => ({ folder, files: count }));
}
