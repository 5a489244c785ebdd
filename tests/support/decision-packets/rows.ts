// Inserts one fact of each type of evidence about a student, for tests of evidence alone.
import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';

export interface Owner {
  readonly id: number;
  readonly organizationId: string;
}

const schoolYear = '2025-2026';

const idOf = async (rows: Promise<{ id: number }[]>): Promise<number> => {
  const [row] = await rows;
  if (!row) throw new Error('no row was added');
  return row.id;
};

export function factsOf(owner: Db, { id: studentId, organizationId }: Owner) {
  const ofStudent = { organizationId, studentId };
  return {
    async support(): Promise<void> {
      await owner('student_support').insert(ofStudent).onConflict(['organizationId', 'studentId']).ignore();
    },
    movement: (fromTier: number, toTier: number, effectiveOn: string): Promise<number> =>
      idOf(
        owner('tier_movement')
          .insert({
            ...{ ...ofStudent, schoolYear, fromTier, toTier, effectiveOn, decidedBy: 1 },
            ...{ sourceType: 'rti_decision', sourceId: newId(), committedAt: `${effectiveOn}T09:00:00.000Z` },
            ruleVersions: JSON.stringify({ 'rti/tier-recommendation': 3 }),
          })
          .returning('id'),
      ),
    skillState: (subSkillCode: string, decidedAt: string, snapshotId = 1): Promise<number> =>
      idOf(
        owner('skill_state')
          .insert({
            ...{ ...ofStudent, schoolYear, subSkillCode, fromState: null, state: 'monitoring', ruleId: 'LSA-03' },
            ...{ snapshotId, decidedAt, decidedOn: decidedAt.slice(0, 10), facts: '{}' },
            ruleVersions: JSON.stringify({ 'rti/skill-state': 2 }),
          })
          .returning('id'),
      ),
    async alert(openedAt: string, more: object = {}): Promise<string> {
      const id = newId();
      await owner('rti_alert').insert({
        ...{ id, ...ofStudent, kind: 'Skill_Alert', severity: 1, state: 'open', ruleId: 'RAL-07' },
        ...{ subSkillCode: 'DEC_WORD', domainCode: 'DEC', openedAt, openedOn: openedAt.slice(0, 10), opened: '{}' },
        ruleVersions: JSON.stringify({ 'rti/alerts': 1 }),
        ...more,
      });
      return id;
    },
    flag: (effectiveFrom: string): Promise<number> =>
      idOf(
        owner('context_flag')
          .insert({
            ...{ ...ofStudent, schoolYear, flagCode: 'long_absence', effectiveFrom, activeTo: '2026-06-30' },
            ...{ ended: false, setBy: 1, setAt: `${effectiveFrom}T09:00:00.000Z`, setOn: effectiveFrom },
            ruleVersion: 'language/context-flags@1',
          })
          .returning('id'),
      ),
    /** In a running live session of the class. */
    async observation(classId: number, observationCode: string, observedAt: string): Promise<number> {
      const liveSessionId = newId();
      await owner('live_session').insert({
        ...{ id: liveSessionId, organizationId, schoolYear, timeZone: 'Asia/Riyadh', classId, state: 'live' },
        ...{ joinCode: '000000', controlVersion: 1, playlistNo: 1, itemRefs: '["item-1"]', currentItemRef: 'item-1' },
        ...{ createdBy: 1, createdAt: observedAt, startedAt: observedAt },
      });
      const [row] = await owner('live_observation')
        .insert({
          ...{ ...ofStudent, schoolYear, liveSessionId, clientObservationId: newId(), observationCode, observedAt },
          ...{ subSkillCode: 'DEC_WORD', observedBy: 1 },
        })
        .returning('ledgerNo');
      return row.ledgerNo;
    },
    fidelity: (assignmentId: string, computedAt: string): Promise<number> =>
      idOf(
        owner('fidelity_snapshot')
          .insert({
            ...{ ...ofStudent, schoolYear, assignmentId, asOf: computedAt.slice(0, 10), computedAt },
            ...{ planned: 9, delivered: 7, credited: 7, offered: 7, absent: 0, rate: 0.7778, threshold: 0.8 },
            ...{ gate: 'fail', ruleId: 'FID-99', trackStatus: 'behind', completeWeeks: 3, weeks: '[]', facts: '{}' },
            ruleVersions: JSON.stringify({ 'fidelity/gate': 1 }),
          })
          .returning('id'),
      ),
    delivery: (assignmentId: string, deliveredOn: string, stepNo: number): Promise<number> =>
      idOf(
        owner('bundle_delivery')
          .insert({
            ...{ ...ofStudent, schoolYear, assignmentId, sourceType: 'blueprint', sourceId: newId(), deliveredOn },
            ...{ stepNo, halted: false, responses: '[]', recordedAt: `${deliveredOn}T09:00:00.000Z` },
          })
          .returning('id'),
      ),
  };
}
