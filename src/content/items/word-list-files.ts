// The authors' lists on disk, beside the source cells.
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { Exceptions, ProperNouns, SecondReadings, type WordLists } from './engine/checks/word-lists.ts';
import { readJson } from './files.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });

/** Throws RangeError with the name of a list that is not one. */
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
  const isList = ajv.compile<Static<Schema>>(schema);
  const list = await readJson<unknown>(path.join(dir, `${name}.json`));
  if (!isList(list)) throw new RangeError(`${name}.json: ${ajv.errorsText(isList.errors)}`);
  return list;
}
