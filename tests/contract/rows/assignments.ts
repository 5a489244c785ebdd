// Creates assignments and drafts with SQL, because the service makes none for a student who was never measured.

import { newId } from '#core/platform/ids.ts';
import type { Insert, UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';

/** Creates an active assignment that has just begun. */
export async function openAssignment(
  { database: { owner }, clock }: TestApp,
  { id: studentId, organizationId }: UserRow,
  classId: number,
  overrides: Insert = {},
): Promise<string> {
  const id = newId();
  await owner('student_support').insert({ organizationId, studentId }).onConflict().ignore();
  await owner('bundle_assignment').insert({
    ...{ id, organizationId, studentId, classId, schoolYear: '2025-2026' },
    ...{ bundleId: 'SUP-DECODE-01', catalogueVersion: 1, objectType: 'SUPPORT_MODULE' },
    ...{ state: 'active', trackStatus: 'awaiting_first_session', scaffoldTier: 'Level_2', deliveryMode: 'blended' },
    ...{ startOn: clock.now().toISOString().slice(0, 10), plannedWeeks: 4, sessionsPerWeek: 3, currentStepNo: 1 },
    steps: JSON.stringify([{ ...step, goal: null, goalState: 'none' }]),
    ...{ sourceType: 'individual', recommendation: JSON.stringify(recommended), facts: '{}' },
    ...{ providerUserId: studentId, activatedBy: studentId, activatedAt: clock.now(), ruleVersions: '{}' },
    ...overrides,
  });
  return id;
}

const step = {
  ...{ stepNo: 1, sessionRole: 'EXPLICIT_TEACHING', plannedSessions: 3, deliveredSessions: 0 },
  ...{ scored: 0, correct: 0, rate: null },
};

const recommended = {
  ...{ outcome: 'recommended', recommended_bundle_id: 'SUP-DECODE-01', objectType: 'SUPPORT_MODULE' },
  ...{ action: 'activate', ruleId: 'BRR-17C', profileCode: 'ISOLATED_GAP', modifiers: [] },
  ...{ anchorSubSkillCode: 'DEC_WORD', anchor_skill_group: 'DEC_BASIC', scaffold_tier: 'Level_2' },
  ...{ compatible_delivery_mode: 'blended', dataSufficiency: 'sufficient', nextRecommendedDataAction: null },
  ruleVersions: {},
};

/** Creates a draft that is kept for a week. */
export async function savedDraft(
  { database: { owner }, clock }: TestApp,
  organizationId: string,
  { teacherUserId, classId }: { readonly teacherUserId: number; readonly classId: number },
): Promise<void> {
  const now = clock.now();
  await owner('workflow_draft')
    .insert({
      ...{ organizationId, teacherUserId, classId, savedAt: now, expiresAt: new Date(now.getTime() + 86_400_000) },
      draft: JSON.stringify({ step: 'select_students', selections: [] }),
    })
    .onConflict()
    .ignore();
}
