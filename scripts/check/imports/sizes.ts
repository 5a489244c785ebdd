// Folders that hold many files. They are no fault: a folder is split where it has a second idea, not where it is long.
import path from 'node:path';
import { mostFiles } from './layers.ts';

/** Folders of `files` with more than `mostFiles` of their own. */
export function largeFolders(files: readonly string[]): { readonly folder: string; readonly files: number }[] {
  const counts = new Map<string, number>();
  for (const folder of files.map((file) => path.posix.dirname(file))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > mostFiles).map(([folder, count]) => ({ folder, files: count }));
}
