// Updates a student's sub-flags from the training answers of the year.

import type { Trx } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { ItemBanks } from '../content/index.ts';
import type { HintDelivery, TrainingYear } from '../measurement/index.ts';
import { classifyAnswers } from './classify-answers.ts';
import type { SubFlag } from './engine/escalation.ts';
import { type Occurrence, occurrencesOf } from './engine/occurrences.ts';
import { subFlagCode } from './engine/pattern-key.ts';
import type { SubFlagRules } from './rules.ts';
import { answerSources, hintReaders, readAll } from './sources.ts';
import {
  appendLevel,
  countOccurrences,
  lockSubFlags,
  type Stamp,
  type SubFlagRow,
  saveSubFlag,
  subFlags,
  writeAlert,
} from './store.ts';

/** Updates the sub-flags. The function is idempotent: unchanged answers and deliveries write nothing. */
export async function escalate(
  trx: Trx,
  banks: ItemBanks,
  rules: SubFlagRules,
  training: TrainingYear,
  now: Date,
): Promise<void> {
  const { organizationId, studentId, schoolYear } = training;
  const stamp = { organizationId, studentId, schoolYear, at: now.toISOString(), ruleVersion: rules.ruleVersion };
  await lockSubFlags(trx, training);
  const answers = await classifyAnswers(banks, rules.behaviourOf, await readAll(answerSources, trx, training));
  const occurrences = await countOccurrences(trx, stamp, occurrencesOf(answers, rules.families));
  for (const one of await evidenceByPattern(trx, training, occurrences)) await raise(trx, stamp, rules, one);
}

interface PatternEvidence {
  readonly patternKey: string;
  readonly occurrences: readonly Occurrence[];
  readonly deliveries: readonly HintDelivery[];
  readonly before: SubFlagRow | undefined;
}

async function evidenceByPattern(
  trx: Trx,
  training: TrainingYear,
  occurrences: readonly Occurrence[],
): Promise<PatternEvidence[]> {
  const deliveries = await readAll(hintReaders, trx, training);
  const before = await subFlags(trx, training);
  return [...new Set(occurrences.map(({ patternKey }) => patternKey))].map((patternKey) => ({
    patternKey,
    occurrences: occurrences.filter((one) => one.patternKey === patternKey),
    deliveries: deliveries.filter((one) => one.patternKey === patternKey),
    before: before.find((one) => one.patternKey === patternKey),
  }));
}

async function raise(
  trx: Trx,
  stamp: Stamp,
  { escalation }: SubFlagRules,
  { patternKey, occurrences, deliveries, before }: PatternEvidence,
): Promise<void> {
  const flag: SubFlag = escalation.flagOf(occurrences, deliveries, before);
  const row = { patternKey, ...flag };
  if (before && canonicalJson(row) === canonicalJson(before)) return;
  const code = subFlagCode(patternKey);
  await saveSubFlag(trx, stamp, row, code);
  for (const { level, alertSeverity: severity } of escalation.stepsBetween(before?.level ?? 0, flag.level)) {
    await appendLevel(trx, stamp, row, level);
    if (severity !== 'none') await writeAlert(trx, stamp, { patternKey, code, severity });
  }
}
