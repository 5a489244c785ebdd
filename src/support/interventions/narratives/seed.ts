// Seeds the first texts from the rules in force, at each start and as the owner of the tables. A slot with a row of any state
// is left unchanged.
import type { Trx } from '#core/platform/db.ts';
import { lockActivations, RuleVersion } from '#rules/rulesets/index.ts';
import type { Narrative, Suggestion, TeacherText } from './engine/narrative.ts';
import type { NarratedProfile, NarrativeWindow } from './enums.ts';
import { narrativeRow, ProfileNarrative } from './store.ts';

interface NarrativesDocument {
  readonly narratives: readonly {
    readonly profileCode: NarratedProfile;
    readonly window: NarrativeWindow;
    readonly teacher: TeacherText;
    readonly parent: readonly string[];
  }[];
  readonly suggestions: readonly Suggestion[];
}

/** Processes that start at once are serialized by the lock. */
export async function seedNarratives(trx: Trx, now: Date): Promise<void> {
  const { current } = await lockActivations(trx, { now: () => now });
  const version = current['profile/narratives'];
  if (version === undefined) return;
  const { document } = await RuleVersion.query(trx)
    .where({ family: 'profile', key: 'narratives', version })
    .select('document')
    .first()
    .throwIfNotFound();
  const taken = await takenSlots(trx);
  const missing = narrativesOf(JSON.parse(document)).filter((one) => !taken.has(slotName(one)));
  if (missing.length === 0) return;
  const createdAt = now.toISOString();
  const first = { version: 1, state: 'approved', createdAt, decidedAt: createdAt } as const;
  // A proposal that is inserted at the same time takes precedence.
  await ProfileNarrative.query(trx)
    .insert(missing.map((one) => ({ ...narrativeRow(one), ...first })))
    .onConflict(['profileCode', 'audience', 'season', 'version'])
    .ignore();
}

async function takenSlots(trx: Trx): Promise<ReadonlySet<string>> {
  const rows: Narrative[] = await ProfileNarrative.query(trx)
    .distinct('profileCode', 'audience', 'season as window')
    .castTo<Narrative[]>();
  return new Set(rows.map(slotName));
}

const slotName = ({ profileCode, audience, window }: Pick<Narrative, 'profileCode' | 'audience' | 'window'>): string =>
  `${profileCode} ${audience} ${window}`;

function narrativesOf({ narratives, suggestions }: NarrativesDocument): Narrative[] {
  const byCode = new Map(suggestions.map((one) => [one.suggestionCode, one]));
  return narratives.flatMap(({ profileCode, window, teacher, parent }): Narrative[] => [
    { profileCode, window, audience: 'teacher', ...teacher, suggestions: null },
    {
      ...{ profileCode, window, audience: 'parent', titleAr: null, bodyAr: null },
      suggestions: parent.flatMap((code) => byCode.get(code) ?? []),
    },
  ]);
}
