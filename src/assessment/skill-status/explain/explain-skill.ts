// Explains the status in a stored sub-skill row.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { decisionOf, nearestChange } from '#rules/rulesets/index.ts';
import { factCategories } from '../engine/fact-categories.ts';
import { isCoreWeak } from '../engine/skills/confirmation.ts';
import { SkillStatusSnapshot } from '../results/models.ts';
import { isEvaluated, skillContents } from '../results/rows.ts';
import type { SkillRow } from '../results/tables.ts';
import { searchAnswers } from './nearest-answers.ts';
import { responseNodes, skillStamp } from './nodes.ts';
import { skillResult } from './results.ts';
import { type RunTrace, runFrameOf, runTraceOf } from './run-trace.ts';
import type { ExplainedResult } from './schemas.ts';
import { skillSentence } from './sentences.ts';

/** Returns undefined for a row that is not visible. */
export async function explainSkill(
  reading: ReadTransaction,
  services: Services,
  id: number,
): Promise<ExplainedResult | undefined> {
  const row: SkillRow | undefined = await reading((trx) =>
    SkillStatusSnapshot.query(trx).modify(inAnyOrganization).where({ id }).first().execute(),
  );
  const trace = row && (await runTraceOf(reading, services, row.runId));
  if (!trace) return undefined;
  const code = row.subSkillCode;
  const decisions = (trace.ofSubSkill.get(code) ?? []).map((call) => decisionOf(call, code));
  const evaluation = trace.evaluation.subSkills.find(({ subSkill }) => subSkill.code === code);
  if (!evaluation) return undefined;
  const { nearest, answerFlip } = await searchAnswers(trace, code);
  return {
    stampId: `skill:${id}`,
    kind: 'skill',
    ...runFrameOf(trace),
    result: skillResult(row),
    decisions,
    matchesStored: isSame(trace, row),
    sentence: skillSentence(trace, evaluation),
    nearestChange: nearest ?? nearestChange(decisions.at(-1), factCategories, trace.sentences.isAboutChild),
    answerFlip,
    from: responseNodes(trace, code),
    alongside: alongside(trace, code),
    questions: trace.questions.byKey,
  };
}

function isSame({ run, evaluation }: RunTrace, { id, ...stored }: SkillRow): boolean {
  const provisional = new Set(stored.calibrationProvisional ? [stored.subSkillCode] : []);
  const again = skillContents(run, evaluation, provisional).find((row) => row.subSkillCode === stored.subSkillCode);
  return again !== undefined && canonicalJson(again) === canonicalJson(stored);
}

/** Returns the other sub-skills with a confirmed weakness to which the facts of the status layer refer. */
function alongside(trace: RunTrace, code: string): ExplainedResult['alongside'] {
  const evaluated = trace.evaluation.subSkills.filter(isEvaluated);
  const self = evaluated.find(({ subSkill }) => subSkill.code === code)?.subSkill;
  return evaluated
    .filter((one) => one.subSkill !== self && isCoreWeak(one.confirmation))
    .map(({ subSkill, ...one }) => ({
      stampId: skillStamp(trace, subSkill.code),
      subSkillCode: subSkill.code,
      status: one.outcome === 'decided' ? one.status : null,
      facts: [
        'coreWeakDomains' as const,
        ...(self?.prerequisites.includes(subSkill.code) ? (['prereqConfirmedWeak'] as const) : []),
        ...(self?.domain === subSkill.domain ? (['domainPeersWeak'] as const) : []),
      ],
    }));
}
