// 60 §1, "New measurement only": random school years of one sub-skill and of a domain against the sentences of the contract,
// written down here once more.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SkillStatus } from '#assessment/skill-status/index.ts';
import {
  type DomainSnapshot,
  domainRise,
  type EvidenceOf,
  mayRise,
  type SkillSnapshot,
  skillRise,
} from '#outcomes/rewards/engine/growth/rises.ts';

/** Contract 40, worst to best. */
const ordered = [
  ...['broad_weakness_related', 'weak_gateway', 'weak_domain_related', 'weak_isolated'],
  ...['monitor_gateway', 'monitor', 'adequate'],
] as SkillStatus[];
const unordered = ['cautionary_weakness_with_metadata', 'contextual_review'] as SkillStatus[];

const status = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<SkillStatus | null>(...ordered) },
  { weight: 1, arbitrary: fc.constantFrom<SkillStatus | null>(...unordered, null) },
);
/** Of a session on one of few days, so that sessions come back, share a moment and stay the newest. */
const session = fc
  .record({ day: fc.integer({ min: 1, max: 9 }), letter: fc.constantFrom('a', 'b') })
  .map(({ day, letter }): EvidenceOf => ({ id: `${letter}${day}`, endedAt: `2026-01-0${day}`, source: 'diagnostic' }));

const isBefore = (one: EvidenceOf, other: EvidenceOf) => `${one.endedAt} ${one.id}` < `${other.endedAt} ${other.id}`;

const skills = fc
  .array(fc.record({ status, session: fc.option(session, { freq: 8 }) }), { minLength: 1, maxLength: 9 })
  .map((rows): SkillSnapshot[] =>
    rows.map((row, at) => ({ ...row, id: at + 1, runId: `run${at}`, subSkillCode: 'DEC_WORD' })),
  );

type Ranked = Pick<SkillSnapshot, 'status'>;

/** What a row has risen from, by statuses alone. */
function risenFrom(earlier: readonly Ranked[], row: Ranked): SkillStatus | undefined {
  const compared = earlier.filter((one) => one.status !== null).at(-1)?.status;
  if (!compared || !row.status) return undefined;
  const [from, to] = [ordered.indexOf(compared), ordered.indexOf(row.status)];
  return from >= 0 && to > from ? compared : undefined;
}

const isNewest = (earlier: readonly SkillSnapshot[], { session: own }: SkillSnapshot): boolean =>
  own !== null && earlier.every((one) => one.session === null || isBefore(one.session, own));

test('a sub-skill rises over the newest earlier decided row, by a session that is newer than all before it', () => {
  let risen = 0;
  fc.assert(
    fc.property(skills, (rows) => {
      for (const [at, row] of rows.entries()) {
        const earlier = rows.slice(0, at);
        const from = risenFrom(earlier, row);
        const expected =
          from === undefined || !isNewest(earlier, row)
            ? undefined
            : { snapshotId: row.id, from, to: row.status, session: row.session };
        assert.equal(skillRise({ skills: rows, domains: [] }, row.id), expected);
        if (expected) risen += 1;
      }
    }),
    { numRuns: 1_000, seed: 40 },
  );
  assert.ok(risen > 300, String(risen));
});

test('rows of other sub-skills and rows that come later change nothing', () => {
  fc.assert(
    fc.property(skills, skills, (rows, others) => {
      const foreign = others.map((row, at) => ({ ...row, id: at * 10 + 5, subSkillCode: 'LIS_LITERAL' }));
      const own = rows.map((row) => ({ ...row, id: row.id * 10 }));
      for (const [at, { id }] of own.entries()) {
        const alone = skillRise({ skills: own.slice(0, at + 1), domains: [] }, id);
        const among = [...own, ...foreign].sort((one, other) => one.id - other.id);
        assert.equal(skillRise({ skills: among, domains: [] }, id), alone);
      }
    }),
    { numRuns: 300, seed: 41 },
  );
});

/** Runs of a domain with two sub-skills, each of which has a row only where something about it has changed. */
const runs = fc.array(
  fc.record({
    domain: status,
    word: fc.option(fc.record({ status, session }), { freq: 2 }),
    syllable: fc.option(fc.record({ status, session }), { freq: 2 }),
  }),
  { minLength: 1, maxLength: 7 },
);

test('a domain rises only in a run in which a session of one of its sub-skills is new; the newest of them is named', () => {
  let risen = 0;
  fc.assert(
    fc.property(runs, (all) => {
      const rows: SkillSnapshot[] = [];
      const domains: DomainSnapshot[] = [];
      for (const [at, { domain, word, syllable }] of all.entries()) {
        const runId = `run${at}`;
        const earlier = [...rows];
        const of = (subSkillCode: string, row: typeof word) =>
          row === null ? [] : [{ ...row, runId, subSkillCode, id: 0 }];
        for (const row of [...of('DEC_SYLLABLE', syllable), ...of('DEC_WORD', word)]) {
          rows.push({ ...row, id: rows.length + 1 });
        }
        domains.push({ id: at + 1, runId, domainCode: 'DEC', status: domain });
        const fresh = rows.slice(earlier.length).filter((row) => {
          const own = earlier.filter(({ subSkillCode }) => subSkillCode === row.subSkillCode);
          return isNewest(own.length > 0 ? own : earlier, row);
        });
        const newest = fresh
          .flatMap((row) => row.session ?? [])
          .sort((one, other) => (isBefore(one, other) ? -1 : 1))
          .at(-1);
        const from = risenFrom(domains.slice(0, at), { status: domain });
        const rise = domainRise({ skills: rows, domains }, at + 1, new Set(['DEC_WORD', 'DEC_SYLLABLE']));
        const stored = rows.map(({ session: own, ...row }) => ({ ...row, sessionId: own?.id ?? null }));
        assert.ok(rise === undefined || mayRise({ skills: stored, domains }, runId));
        assert.equal(rise?.session.endedAt, from === undefined ? undefined : newest?.endedAt);
        if (rise) risen += 1;
        if (rise) assert.equal([rise.from, rise.to, rise.session], [from, domain, newest]);
      }
    }),
    { numRuns: 1_000, seed: 42 },
  );
  assert.ok(risen > 200, String(risen));
});

test('whose evidence is not opened has not risen, and rules that lift everybody open none', () => {
  let isLeftOut = 0;
  fc.assert(
    fc.property(skills, (rows) => {
      const stored = rows.map(({ session: own, ...row }) => ({ ...row, sessionId: own?.id ?? null }));
      for (const { id, runId } of rows) {
        if (mayRise({ skills: stored, domains: [] }, runId)) continue;
        isLeftOut += 1;
        assert.is(skillRise({ skills: rows, domains: [] }, id), undefined);
      }
    }),
    { numRuns: 500, seed: 43 },
  );
  assert.ok(isLeftOut > 500, String(isLeftOut));
  const row = { subSkillCode: 'DEC_WORD', sessionId: 'a1' };
  const lifted = [
    { ...row, id: 1, runId: 'run0', status: 'weak_gateway' as const },
    { ...row, id: 2, runId: 'run1', status: 'adequate' as const },
  ];
  const domains = lifted.map(({ id, runId, status: own }) => ({ id, runId, status: own, domainCode: 'DEC' }));
  assert.is(mayRise({ skills: lifted, domains }, 'run1'), false);
  assert.is(mayRise({ skills: lifted.map((one) => ({ ...one, sessionId: `a${one.id}` })), domains }, 'run1'), true);
});

test.run();
