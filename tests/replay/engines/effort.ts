// Response behaviour in a session, and error patterns in training.

import type { Item } from '#assessment/content/index.ts';
import { flagMet, hintText } from '#assessment/error-patterns/engine/hint.ts';
import { occurrencesOf } from '#assessment/error-patterns/engine/occurrences.ts';
import { subFlagCode } from '#assessment/error-patterns/engine/pattern-key.ts';
import { subFlagRules } from '#assessment/error-patterns/rules.ts';
import { compileBehaviour } from '#assessment/measurement/evidence/engine/behaviour.ts';
import { sessionEvidence } from '#assessment/measurement/evidence/engine/facts.ts';
import type { ServedSession } from '#assessment/measurement/evidence/engine/served.ts';
import { readThresholds } from '#assessment/measurement/evidence/engine/thresholds.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { compileCatalogue } from '#rules/catalogue/index.ts';
import { banks, currentBank } from './diagnostics.ts';
import { type RecordedEngine, recorded } from './engine.ts';
import { bankVersion, receivedAt, subSkillsOf } from './training.ts';

interface Worked {
  readonly session: ServedSession;
}

function servedSession(seed: number): ServedSession {
  const next = seededNumbers(seed);
  const cell = currentBank.items.filter(({ subSkillCode }) => subSkillCode === subSkillsOf('G12')[seed % 9]);
  const responses = Array.from({ length: 6 + seed }, (_, at) => {
    const item = cell[at % Math.max(1, cell.length - (seed % 3))] as Item;
    const index = seed % 4 === 1 ? 0 : seed % 4 === 2 ? at % 2 : Math.floor(next() * item.options.length);
    const skipped = seed % 5 === 3 ? at > 5 : next() < 0.1;
    const correct = index === item.correctIndex;
    const microPattern = item.options[index]?.microPattern ?? null;
    return {
      ...{ itemId: item.id, subSkillCode: item.subSkillCode, expectedSeconds: item.expectedSeconds },
      ...{ designedPatterns: item.designedPatterns, withdrawn: at === 4 && seed % 2 === 0 },
      ...{ choice: skipped ? null : { index, correct, microPattern } },
      ...{ latencyMs: Math.round(next() * (seed % 3 === 0 ? 1500 : 60_000)), hintServed: at % 7 === 6 },
      ...{ audioReplays: Math.floor(next() * 5), optionChanges: Math.floor(next() * 5) },
    };
  });
  const pausesMs = Array.from({ length: seed % 5 }, () => Math.round(next() * 300_000));
  return {
    ...{ sessionId: `S${seed}`, source: seed % 2 ? 'practice' : 'diagnostic', endedAt: receivedAt(seed * 1000) },
    ...{ finished: seed % 3 !== 0, responses, pausesMs },
  };
}

const behaviour: RecordedEngine<Worked> = {
  name: 'behaviour',
  questions: () => Array.from({ length: 11 }, (_, at) => ({ id: `${at}`, input: { session: servedSession(at + 1) } })),
  compile: (bundle) => {
    const thresholds = readThresholds(bundle);
    const behaviourOf = compileBehaviour(bundle, thresholds);
    const rules = { catalogue: compileCatalogue(bundle), thresholds, behaviourOf };
    return ({ session }) => sessionEvidence(session, rules);
  },
};

interface Shown {
  readonly bankVersion: number;
  /** `session item option`, with `fast` for a response without effort. */
  readonly answers: readonly string[];
  /** Session in which the first hint was delivered. 0: none. */
  readonly supportedIn: number;
}

const sessionStart = (session: number) => receivedAt(session * 86_400_000);

const patternItems = currentBank.items.filter(({ designedPatterns, options }) =>
  options.some(({ microPattern }) => microPattern !== null && designedPatterns.includes(microPattern)),
);

function shownAnswers(seed: number): string[] {
  const pattern = patternItems[seed * 7]?.options.find(({ microPattern }) => microPattern !== null)?.microPattern;
  const items = patternItems.filter(({ options }) => options.some(({ microPattern }) => microPattern === pattern));
  return items.slice(0, 2 + seed).map((item, at) => {
    const option = item.options.find(({ microPattern }) => microPattern === pattern)?.index;
    return `${1 + Math.floor(at / (1 + (seed % 3)))} ${item.id} ${option}${at === 5 ? ' fast' : ''}`;
  });
}

const errorPatterns: RecordedEngine<Shown> = {
  name: 'error-patterns',
  questions: () =>
    Array.from({ length: 8 }, (_, at) => ({
      id: `${at}`,
      input: { bankVersion, answers: shownAnswers(at), supportedIn: at % 3 },
    })),
  compile: (bundle) => {
    const { escalation, families, messages } = subFlagRules(bundle);
    return async ({ answers, supportedIn, ...input }) => {
      const bank = await banks.version(input.bankVersion);
      const scored = answers.map((text, at) => {
        const [session = '', itemId = '', option = '', fast] = text.split(' ');
        const item = bank.find(itemId) as Item;
        const startedAt = sessionStart(Number(session));
        const selectedOptionIndex = Number(option);
        const answer = {
          ...{ sessionId: `S${session}`, startedAt, bankVersion: 'content/item-bank@2', itemId, selectedOptionIndex },
          ...{ correct: selectedOptionIndex === item.correctIndex, latencyMs: 5000, attempt: 'first' as const },
          receivedAt: new Date(Date.parse(startedAt) + at * 1000).toISOString(),
        };
        return { answer, item, active: item.status === 'active', rapid: fast !== undefined };
      });
      const occurrences = occurrencesOf(scored, families);
      const patterns = [...new Set(occurrences.map(({ patternKey }) => patternKey))].sort();
      return patterns.map((patternKey) => {
        const own = occurrences.filter((one) => one.patternKey === patternKey);
        const sessionId = `S${supportedIn}`;
        const deliveries = supportedIn ? [{ patternKey, sessionId, at: sessionStart(supportedIn) }] : [];
        const flag = escalation.flagOf(own, deliveries);
        const met = scored.filter(({ item }) => flagMet(item, [{ patternKey, level: flag.level }], families)).length;
        return {
          ...{ patternKey, code: subFlagCode(patternKey), flag, met, hint: hintText(patternKey, messages) },
          ...{ occurrences: own.map(({ itemId, designed }) => `${itemId} ${designed}`) },
          ...{ steps: escalation.stepsBetween(0, flag.level), supported: escalation.supportedLevels.has(flag.level) },
        };
      });
    };
  },
};

export const effortEngines = [recorded(behaviour), recorded(errorPatterns)];
