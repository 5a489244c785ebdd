// Copies stored runs of the skill-status engine, with another moment and other tiles.
import type { TriggerKind } from '#assessment/skill-status/results/enums.ts';
import type { UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';

export interface RunLike {
  readonly asOf: string;
  readonly trigger?: TriggerKind;
  readonly halted?: boolean;
  /** Tile → its value; the others are not assessed. */
  readonly tiles?: Readonly<Record<string, string>>;
}

const tileCodes = ['FOUNDATIONS', 'WORD_READING', 'FLUENCY', 'LANGUAGE', 'COMPREHENSION', 'WRITING', 'GLOBAL'];

/** `from` has to have a run already. */
export async function addRun(
  { database: { owner } }: TestApp,
  { id: studentId }: UserRow,
  { asOf, trigger = 'diagnostic_finished', halted = false, tiles = {} }: RunLike,
): Promise<void> {
  const values = tileCodes.map((tileCode) => ({
    ...{ tileCode, status: tiles[tileCode] ?? 'Not_Assessed', applicable: true, severePath: null },
  }));
  const { seq: _seq, ...like } = await owner('sse_run').where({ studentId }).orderBy('seq').first();
  await owner('sse_run').insert({
    ...like,
    ...{ id: `run-${asOf}-${trigger}`, asOf, trigger, halted, tiles: JSON.stringify(values), createdAt: asOf },
    ...{ input: JSON.stringify(like.input), ruleVersions: JSON.stringify(like.ruleVersions) },
  });
}
