// Reads the authors' word lists, which are beside the source cells.
import path from 'node:path';
import type { Static, TSchema } from 'typebox';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import { Exceptions, ProperNouns, SecondReadings, type WordLists } from './engine/checks/word-lists.ts';
import { readJson } from './files.ts';

/** Throws RangeError with the name of an invalid list. */
export async function readWordLists(dir: string): Promise<WordLists> {
  const { takesNoTanween, daggerAlef } = await readList(dir, 'proper-nouns', ProperNouns);
  return {
    namesWithoutTanween: takesNoTanween,
    daggerAlefWords: daggerAlef,
    secondReadings: new Map(Object.entries(await readList(dir, 'second-readings', SecondReadings))),
    exceptions: await readList(dir, 'exceptions', Exceptions),
  };
}

async function readList<Schema extends TSchema>(dir: string, name: string, schema: Schema): Promise<Static<Schema>> {
  return shapeOf<Static<Schema>>(schema)(await readJson<unknown>(path.join(dir, `${name}.json`)), `${name}.json`);
}
