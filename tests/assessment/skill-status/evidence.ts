// Finished diagnostics for tests, written directly to the database in the notation of the engine's golden cases, and an
// item bank for which every letter has its meaning.

import type { ItemBanks } from '#assessment/content/items/banks.ts';
import type { BankDocument } from '#assessment/content/items/engine/bank.ts';
import { itemBank } from '#assessment/content/items/engine/bank.ts';
import type { Item } from '#assessment/content/items/engine/item.ts';
import { answerLists } from '#assessment/measurement/evidence/answer-lists.ts';
import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { CatalogueDocument } from '#rules/catalogue/engine/catalogue.ts';
import { compileCatalogue } from '#rules/catalogue/engine/catalogue.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import type { UserRow } from '../../harness/factories.ts';

export const bundle = await loadNewestBundle('rules');
const catalogue = compileCatalogue(bundle);
const { microPatterns } = bundle.values<CatalogueDocument>('catalogue/subskills');

/**
 * C right, L slow and right, U wrong, E wrong and slow, T the designed error, Q an earlier skill's error, A a mark
 * missed, N skipped.
 */
export type Letter = 'C' | 'L' | 'U' | 'E' | 'T' | 'Q' | 'A' | 'N';
export const designedError = 'm1';
const expectedSeconds = 10;
const itemsPerSubSkill = 60;

/** Options of every item: right, wrong without a pattern, the designed error, an earlier skill, a mark. */
const optionIndexes: Readonly<Record<Letter, number | null>> = { C: 0, L: 0, U: 1, E: 1, T: 2, Q: 3, A: 4, N: null };

export const itemIdOf = (subSkillCode: string, number: number): string =>
  `${subSkillCode}-${String(number).padStart(3, '0')}`;

function testItem(subSkillCode: string, number: number): Item {
  const subSkill = catalogue.byCode.get(subSkillCode);
  const earlier = microPatterns.find(({ code }) =>
    pointsTo(code, (target) => subSkill?.transitivePrerequisites.has(target)),
  );
  const mark = microPatterns.find(({ code }) =>
    pointsTo(code, (target) => catalogue.byCode.get(target)?.accuracyIndicator),
  );
  const patterns = [null, null, designedError, earlier?.code ?? null, mark?.code ?? null];
  return {
    id: itemIdOf(subSkillCode, number),
    publicId: `public-${subSkillCode}-${number}`,
    subSkillCode,
    gradeBand: 'G12',
    itemType: 'mcq_text',
    prompt: { text: 'س', speech: 'س', audioUrl: null, passage: null },
    options: patterns.map((microPattern, index) => ({
      index,
      text: String(index),
      speech: null,
      audioUrl: null,
      microPattern,
      errorFamily: null,
    })),
    correctIndex: 0,
    difficulty: 0,
    calibration: { n: 0, version: 'CAL@1' },
    designedPatterns: [designedError],
    stemGroup: `${subSkillCode}-${number}`,
    expectedSeconds,
    status: 'active',
    version: 1,
  };
}

const pointsTo = (pattern: string, matches: (subSkillCode: string) => boolean | undefined): boolean =>
  matches(catalogue.patternTarget.get(pattern)?.code ?? '') === true;

const items = catalogue.subSkills.flatMap(({ code }) =>
  Array.from({ length: itemsPerSubSkill }, (_, at) => testItem(code, at + 1)),
);

/** Returns a bank of these items; `withdrawn` ones are withdrawn since the given moment. */
export function testBanks(withdrawn: ReadonlyMap<string, string> = new Map()): ItemBanks {
  const document: BankDocument = {
    version: 1,
    items: items.map((item) => {
      const withdrawnAt = withdrawn.get(item.id);
      return withdrawnAt === undefined ? item : { ...item, status: 'withdrawn', withdrawnAt };
    }),
  };
  const bank = itemBank(document);
  return { version: async () => bank, current: async () => bank, currentVersion: 1 };
}

export interface Answer {
  readonly subSkillCode: string;
  readonly itemId: string;
  readonly letter: Letter;
  readonly marked: boolean;
}

/** `{LK_SOUND: 'CCU!C'}`: one letter for each distinct item, `!` a doubtful effort. `from` is the first item's number. */
export function answersOf(parts: Readonly<Record<string, string>>, from = 1): Answer[] {
  return Object.entries(parts).flatMap(([subSkillCode, letters]) =>
    [...letters.matchAll(/([A-Z])(!?)/g)].map(([, letter, mark], at) => ({
      subSkillCode,
      itemId: itemIdOf(subSkillCode, from + at),
      letter: letter as Letter,
      marked: mark === '!',
    })),
  );
}

export interface DiagnosticOptions {
  readonly sessionId?: string;
  readonly finishedAt: string;
  /** Whether to add the event that triggers a recompute; default true. */
  readonly announced?: boolean;
  readonly provisional?: boolean;
}

/** Inserts the rows of a finished diagnostic in one transaction, as the finish would. Returns the session's id. */
export async function buildDiagnostic(
  owner: Db,
  student: Pick<UserRow, 'id' | 'organizationId'>,
  answers: readonly Answer[],
  options: DiagnosticOptions,
): Promise<string> {
  const sessionId = options.sessionId ?? newId();
  const { finishedAt } = options;
  const own = { organizationId: student.organizationId, schoolYear: '2025-2026' };
  const served = answers.map((answer, at) => ({ ...answer, id: newId(), seq: at + 1 }));
  await owner.transaction(async (trx) => {
    await trx('diagnostic_session').insert(sessionRow(student, sessionId, answers, finishedAt));
    await trx('diagnostic_served_item').insert(
      served.map(({ id, seq, itemId, subSkillCode }) => ({
        ...{ ...own, id, sessionId, seq, itemId, subSkillCode },
        ...{ itemVersion: 1, difficultyLogit: 0, selectionTier: 1, servedAt: finishedAt },
      })),
    );
    await trx('diagnostic_response').insert(
      served.map(({ id, seq, letter }) => ({
        ...{ ...own, servedItemId: id, sessionId, seq, receivedAt: finishedAt },
        ...responseOf(letter),
      })),
    );
    await storeAnswers(trx, own.organizationId, [sessionId]);
    await trx('diagnostic_estimate').insert(
      [...new Set(answers.map(({ subSkillCode }) => subSkillCode))].map((subSkillCode) => ({
        ...{ ...own, sessionId, subSkillCode, theta: null, se: null, n: 0, stopReason: 'session_end' },
        ...{ calibrationProvisional: options.provisional ?? true, ruleVersion: 'scoring/measurement@1' },
      })),
    );
    await trx('rbm_log').insert({
      ...{ ...own, studentId: student.id, source: 'diagnostic', sessionId, at: finishedAt, ruleVersion: 'RBM@1' },
      ...{ flags: ['RBM-00'], facts: '{}', markedSeqs: served.filter(({ marked }) => marked).map(({ seq }) => seq) },
    });
    if (options.announced ?? true) {
      const payload = JSON.stringify({ studentId: student.id, sessionId });
      await trx('outbox').insert({
        organizationId: student.organizationId,
        topic: 'diagnostic.finished',
        payload,
        createdAt: finishedAt,
      });
      await trx.raw("select pg_notify('outbox', '')");
    }
  });
  return sessionId;
}

/** Stores the answers as the finish would, for sessions that were inserted directly. */
export async function storeAnswers(
  trx: Db,
  organizationId: string | null,
  sessionIds: readonly string[],
): Promise<void> {
  await trx.raw(
    `update diagnostic_session s set answers = ${answerLists()} where s.organization_id = ? and s.id = any(?::text[])`,
    [organizationId, [...sessionIds]],
  );
}

function sessionRow(
  { id: studentId, organizationId }: Pick<UserRow, 'id' | 'organizationId'>,
  sessionId: string,
  answers: readonly Answer[],
  finishedAt: string,
) {
  return {
    id: sessionId,
    organizationId,
    studentId,
    status: 'FINISHED',
    formCode: 'DIAG-G1-P1',
    partIndex: 1,
    partCount: 6,
    grade: 1,
    gradeBand: 'G12',
    season: 'MOY',
    schoolYear: '2025-2026',
    subSkills: [...new Set(answers.map(({ subSkillCode }) => subSkillCode))],
    seenItemIds: [],
    pinned: JSON.stringify({ bankVersion: 'content/item-bank@1' }),
    startedAt: finishedAt,
    expiresAt: finishedAt,
    finishedAt,
    finishReason: 'completed',
  };
}

function responseOf(letter: Letter) {
  const slow = letter === 'L' || letter === 'E';
  const latencyMs = slow ? 3 * 1000 * expectedSeconds + 1 : 5_000;
  const selectedOptionIndex = optionIndexes[letter];
  return {
    selectedOptionIndex,
    skipped: selectedOptionIndex === null,
    correct: selectedOptionIndex === 0,
    reportedLatencyMs: latencyMs,
    latencyMs,
  };
}
