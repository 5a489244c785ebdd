// The sentence of each node of an explanation: what was found, why, and what it means, without a code.
import { dayWords, type SpokenValue } from '#rules/catalogue/index.ts';
import { type LocalText, type SentenceView, type TraceStep, traceUntil } from '#rules/rulesets/index.ts';
import type { EvidenceSession } from '../../measurement/index.ts';
import type { DomainEvaluation } from '../engine/domains/status.ts';
import type { TileEvaluation } from '../engine/domains/tiles.ts';
import type { CodedResponse } from '../engine/evidence/gather.ts';
import type { EvaluatedSubSkill, SubSkillEvaluation } from '../engine/skills/status.ts';
import type { TracedCall } from '../engine/traced.ts';
import type { TileStatus } from '../engine/vocabulary.ts';
import type { RunTrace } from './run-trace.ts';
import { sentenceTexts as texts } from './sentence-texts.ts';

type Named = LocalText & { readonly code: string };

const nameIn = (entries: readonly Named[], code: string): SpokenValue => {
  const { ar, en } = entries.find((entry) => entry.code === code) ?? { ar: code, en: code };
  return { value: code, ar, en };
};

export function skillSentence(trace: RunTrace, one: SubSkillEvaluation): SentenceView {
  const skill = nameIn(trace.names.subSkills, one.subSkill.code);
  if (one.outcome === 'not_assessed') return trace.sentences.say('skill.notMeasured', [texts.notMeasured], { skill });
  const { term, say } = trace.sentences;
  const counted = countedPart(trace, one, skill);
  const reason = term('values', one.pacReason);
  if (one.outcome === 'do_not_decide_yet') {
    const needed = one.itemsNeeded > 0 ? { parts: [texts.needed], args: { needed: one.itemsNeeded } } : nothing;
    const parts = [...counted.parts, texts.undecided, ...needed.parts];
    return say('skill.undecided', parts, { ...counted.args, reason, ...needed.args });
  }
  const rate = ratePart(trace, one);
  return say('skill.decided', [...counted.parts, ...rate.parts, texts.shows], {
    ...counted.args,
    ...rate.args,
    ...{ reason, status: term('values', one.status) },
  });
}

interface Part {
  readonly parts: readonly LocalText[];
  readonly args: Readonly<Record<string, SpokenValue | number>>;
}

const nothing: Part = { parts: [], args: {} };

function countedPart({ run, timeZone }: RunTrace, { confirmation }: EvaluatedSubSkill, skill: SpokenValue): Part {
  const { sums, facts, evidence } = confirmation;
  const marks = evidence.units.filter(({ code }) => code === 'ERROR_ACCURACY_MARK').length;
  const args = {
    ...{ skill, date: dayWords(run.asOf, timeZone), answers: sums.right + sums.wrong, wrong: sums.wrong },
    ...{ items: facts.distinctItems, sessions: facts.sessionCount },
  };
  if (marks === 0) return { parts: [texts.counted], args };
  return { parts: [texts.counted, texts.marks], args: { ...args, marks } };
}

/** Returns the rate with the limits between which the rule that decided its band lies. */
function ratePart({ ofSubSkill }: RunTrace, { subSkill, confirmation }: EvaluatedSubSkill): Part {
  const { rawRate } = confirmation.facts;
  if (rawRate === null) return nothing;
  const call = ofSubSkill.get(subSkill.code)?.find(({ table }) => table.name === 'bnd/bnd');
  const { low, high } = call ? limitsOf(call, 'rawRate') : {};
  const args: Record<string, SpokenValue> = { rate: percent(rawRate) };
  if (low !== undefined) args.low = percent(low);
  if (high !== undefined) args.high = percent(high);
  if (low !== undefined) return { parts: [high === undefined ? texts.rateFrom : texts.rateBetween], args };
  return { parts: [high === undefined ? texts.rate : texts.rateBelow], args };
}

/** Returns the limits that the rules tried set for a fact: those that failed from below, the one that held from above. */
function limitsOf({ table, facts, hits }: TracedCall, fact: string): { low?: number; high?: number } {
  const row = table.document.rules.findIndex(({ name }) => name === hits[0]?.ruleId);
  const steps = traceUntil(table, facts, row);
  const lows = steps.flatMap(({ failed }) => (failed ? limitOf(failed, fact) : []));
  const highs = (steps.at(-1)?.held ?? []).flatMap((leaf) => limitOf(leaf, fact));
  return {
    ...(lows.length > 0 && { low: Math.max(...lows) }),
    ...(highs.length > 0 && { high: Math.min(...highs) }),
  };
}

type TracedLeaf = NonNullable<TraceStep['failed']>;

/** A value is below the limit of a comparison that held, and at or above that of one that failed. */
const limitOf = ({ fact, operator, value, negated }: TracedLeaf, wanted: string): number[] =>
  fact === wanted && operator === 'lessThan' && !negated && typeof value === 'number' ? [value] : [];

function percent(share: number): SpokenValue {
  const shown = Number((100 * share).toFixed(1));
  return { value: share, ar: `${shown}٪`, en: `${shown} %` };
}

export function domainSentence({ sentences, names }: RunTrace, one: DomainEvaluation): SentenceView {
  const domain = nameIn(names.domains, one.domain.code);
  const { term, say } = sentences;
  const args = { domain, decided: one.figures.decided, inScope: one.figures.inScope };
  if (one.outcome !== 'decided') return say('domain.undecided', [texts.domain, texts.noResult], args);
  return say('domain.decided', [texts.domain, texts.result, texts.onTile], {
    ...args,
    ...{ status: term('values', one.status), value: term('values', one.tile.value) },
  });
}

export function tileSentence(
  { sentences, names }: RunTrace,
  { tile, status, applicable }: Pick<TileEvaluation, 'status' | 'applicable'> & { readonly tile: { code: string } },
): SentenceView {
  const args = { tile: nameIn([...names.tiles, names.globalTile], tile.code) };
  if (!applicable) return sentences.say('tile.notInGrade', [texts.notInGrade], args);
  return sentences.say('tile.status', [texts.tile], { ...args, status: sentences.term('values', status) });
}

export function runSentence({ sentences, run, timeZone }: RunTrace, status: TileStatus): SentenceView {
  const args = { date: dayWords(run.asOf, timeZone), status: sentences.term('values', status) };
  return sentences.say('run.status', run.halted ? [texts.run, texts.incomplete] : [texts.run], args);
}

export function answerSentence(
  { sentences, timeZone }: RunTrace,
  { code, scored, weight }: Pick<CodedResponse, 'code' | 'scored' | 'weight'>,
  { source, endedAt }: Pick<EvidenceSession, 'source' | 'endedAt'>,
): SentenceView {
  const { term, say } = sentences;
  const args = { date: dayWords(endedAt, timeZone), source: term('values', source), code: term('values', code) };
  if (!scored) return say('answer.ignored', [texts.answer, texts.answerIgnored], args);
  return say('answer.counted', [texts.answer, texts.answerCounts], { ...args, weight });
}
