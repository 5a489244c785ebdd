// For each check, one way to cause a violation.
import Type from 'typebox';
import { runDueActivations } from '#backoffice/workbench/activation/schedule.ts';
import { saveAttestation } from '#backoffice/workbench/replays/attestation.ts';
import type { ReplayReport } from '#backoffice/workbench/replays/position.ts';
import { object } from '#core/http/schemas.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { alertGivenUp } from '#messaging/notifications/dispatch/alerts.ts';
import { renderGuarded } from '#outcomes/parents/alerts.ts';
import { UnsafeSentence } from '#outcomes/parents/render-for-family.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { eventually } from '../../harness/eventually.ts';
import { buildUser, type ClassRow, type UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';
import { shippedStamp, shippedVersion } from '../../harness/rules.ts';
import { changedChecks } from './documents.ts';
import { force } from './force.ts';

/** A school without violations. */
export interface Ground {
  readonly app: TestApp;
  readonly queues: Queues;
  readonly classRow: ClassRow;
  readonly student: UserRow;
  readonly bundleId: string;
}

type Plant = (ground: Ground) => Promise<unknown>;

const schoolYear = '2025-2026';
const minuteMs = 60_000;
const dayMs = 86_400_000;
const ago = ({ app }: Ground, ms: number) => new Date(app.clock.now().getTime() - ms);
const put = (ground: Ground, table: string, row: object) => force(ground.app.database.owner, table, { ...row });
const ownOf = ({ classRow, student }: Ground) => ({
  ...{ organizationId: classRow.organizationId, studentId: student.id, schoolYear },
});

const snapshot = (ground: Ground, row: object) =>
  put(ground, 'sse_skill_snapshot', {
    ...{ ...ownOf(ground), status: 'adequate', facts: '{"distinctItems": 9}' },
    ...{ ruleVersion: shippedStamp('ssr'), bundleId: ground.bundleId, ...row },
  });
const xp = async (ground: Ground, amount: number, eventId: number) =>
  put(ground, 'xp_transaction', {
    ...{ ...ownOf(ground), masteryEventId: eventId, kind: 'credit', amount, sessionKey: 'live:1' },
    ...{ recordedAt: ago(ground, 0), ruleVersion: `gamification/rewards@${shippedVersion('gamification/rewards')}` },
  });
const growth = async (ground: Ground): Promise<number> => {
  const { owner } = ground.app.database;
  const { organizationId, studentId } = ownOf(ground);
  await put(ground, 'mastery_event', { ...ownOf(ground), recordedAt: ago(ground, 0) });
  return (await owner('mastery_event').where({ organizationId, studentId }).max('id').first())?.max;
};
const release = async (ground: Ground, id: string) =>
  put(ground, 'aggregate_release', {
    ...{ organizationId: ground.classRow.organizationId, id, schoolYear, season: 'MOY', unit: 'school' },
    ...{ unitId: ground.classRow.schoolId, ruleVersions: '{"band-descriptions/manager": 1}' },
  });
const alert = (ground: Ground, row: object) => {
  const { schoolYear: _, ...own } = ownOf(ground);
  return put(ground, 'rti_alert', { ...own, id: newId(), state: 'open', openedAt: ago(ground, minuteMs), ...row });
};
const connection = (ground: Ground, row: object) =>
  put(ground, 'lms_connection', {
    ...{ organizationId: ground.classRow.organizationId, id: newId(), provider: 'oneroster', kind: 'rest', ...row },
  });
const givenUp = ({ app, classRow: { organizationId } }: Ground, refusal: 'LanguageUnsafe' | 'UnknownKind') =>
  inContext(app.services.db, { organizationId }, (trx) =>
    alertGivenUp(trx, organizationId, [{ eventId: 1, kind: 'x', refusal }], app.clock.now()),
  );
const reported = { operation: 'listChildren', versions: {} };
const stopped = ({ app }: Ground, say: () => unknown) =>
  renderGuarded(app.services, reported, object({ name: Type.String() }), say).then(
    () => undefined,
    () => undefined,
  );

export const plants: Readonly<Record<string, Plant>> = {
  STATUS_WITHOUT_RULE_VERSION: (ground) => snapshot(ground, { ruleVersion: 'SSR@99' }),
  STATUS_BELOW_MINIMUM: (ground) => snapshot(ground, { facts: '{"distinctItems": 1}' }),
  STATUS_OUTSIDE_VOCABULARY: (ground) => snapshot(ground, { status: 'excellent' }),
  RULE_CHECKSUM_DIFFERS: (ground) =>
    put(ground, 'rule_version', { family: 'x', key: 'x', version: 1, document: '{}', sha256: 'other' }),
  RULE_PIN_UNPUBLISHED: (ground) => put(ground, 'rule_bundle', { id: newId(), versions: '{"ssr/ssr": 99}' }),
  ORACLE_MISMATCH: (ground) =>
    put(ground, 'rule_engine_fallback', { documentId: 'x/x@1', onFallback: true, facts: '{}', at: ago(ground, 0) }),
  REPLAY_MISMATCH: async (ground) => {
    const { app, classRow } = ground;
    const { organizationId } = classRow;
    const job = { id: newId(), organizationId };
    await put(ground, 'rule_job', { ...job, kind: 'replay', subject: 'x', input: '{}', state: 'running' });
    const report = { counts: { inputsDiffer: 0, rulesDiffer: 1 } } as unknown as ReplayReport;
    await inContext(app.services.db, { organizationId }, (trx) => saveAttestation(trx, job, report, app.clock));
  },
  ATTESTATION_BROKEN: (ground) =>
    put(ground, 'rule_attestation', { payload: '{}', previousHash: 'x', hash: 'y', at: ago(ground, 0) }),
  RULE_SCHEDULE_REFUSED: async (ground) => {
    const pins = { versions: '{"cbm/trend": 1}', replaces: '{"cbm/trend": 99}' };
    const planned = { ...pins, activeFrom: ago(ground, minuteMs), reason: 'scheduled_release', approvedBy: [] };
    await put(ground, 'rule_schedule', {
      ...planned,
      requestedBy: ground.student.id,
      createdAt: ago(ground, minuteMs),
    });
    await runDueActivations(ground.app.services);
  },
  OUTBOX_STUCK: (ground) =>
    put(ground, 'outbox', {
      ...{ organizationId: ground.classRow.organizationId, topic: 'x', payload: '{}', createdAt: ago(ground, 61_000) },
    }),
  OUTBOX_PARKED: (ground) =>
    put(ground, 'outbox_retry', {
      ...{ organizationId: ground.classRow.organizationId, eventId: 1, reaction: 'x', attempts: 5 },
      parkedAt: ago(ground, 0),
    }),
  RECOMPUTE_STUCK: (ground) => {
    const { schoolYear: _, ...own } = ownOf(ground);
    return put(ground, 'sse_recompute_request', { ...own, requestedSeq: 1, requestedAt: ago(ground, 301_000) });
  },
  QUEUE_STALLED: async ({ app, queues }) => {
    await putInForce(app, changedChecks({ QUEUE_STALLED: { threshold: 1 } }));
    await queues.add([{ queue: 'qa-audits', id: 'waits', data: {} }]);
    await eventually('a job waits for a second', async () => (await queues.state('qa-audits')).oldestSeconds > 1);
  },
  SCHEDULE_OVERDUE: (ground) =>
    put(ground, 'schedule', { name: 'qa-runtime-checks', lastRunAt: ago(ground, 7 * minuteMs) }),
  TENANT_MISMATCH: async (ground) => {
    const stranger = await buildUser(ground.app.database.owner, 'STUDENT');
    const { organizationId, id: classId } = ground.classRow;
    const ended = { enrolledFrom: '2025-09-01', enrolledTo: '2025-10-01' };
    await put(ground, 'enrollment', { organizationId, classId, studentId: stranger.id, ...ended });
  },
  TWO_OPEN_ENROLLMENTS: (ground) => {
    const { schoolYear: _, ...own } = ownOf(ground);
    return put(ground, 'enrollment', { ...own, classId: ground.classRow.id, enrolledFrom: '2025-09-01' });
  },
  CLASS_WITHOUT_TEACHER: ({ app: { database }, classRow: { organizationId, id } }) =>
    database.owner('class_teacher').where({ organizationId, classId: id }).delete(),
  SESSION_PAST_EXPIRY: (ground) =>
    put(ground, 'diagnostic_session', {
      ...ownOf(ground),
      id: newId(),
      status: 'PAUSED',
      expiresAt: ago(ground, 2 * dayMs),
    }),
  MASTERY_DURING_HALT: async (ground) => {
    await put(ground, 'sse_run', { ...ownOf(ground), id: newId(), halted: true, createdAt: ago(ground, minuteMs) });
    await growth(ground);
  },
  XP_WITHOUT_EVENT: (ground) => xp(ground, 20, 999_999_999),
  XP_ABOVE_CAP: async (ground) => xp(ground, 201, await growth(ground)),
  ASSIGNMENT_FOR_EXCLUDED: async (ground) => {
    await alert(ground, { kind: 'acute_regression_review' });
    const given = { id: newId(), sourceType: 'cluster', activatedAt: ago(ground, 0) };
    await put(ground, 'bundle_assignment', { ...ownOf(ground), ...given });
  },
  TWO_OPEN_ALERTS: async (ground) => {
    for (const kind of ['Skill_Alert', 'Student_Alert']) await alert(ground, { kind });
  },
  TIER_MOVE_WITHOUT_PACKET: (ground) =>
    put(ground, 'tier_movement', {
      ...ownOf(ground),
      fromTier: 2,
      toTier: 3,
      sourceType: 'rti_decision',
      sourceId: 'x',
    }),
  PARENT_STRING_UNSAFE: (ground) =>
    stopped(ground, () => {
      throw new UnsafeSentence('growth-trend/tile');
    }),
  PARENT_RESPONSE_OUTSIDE_SCHEMA: (ground) => stopped(ground, () => ({ name: 'x', theta: 1 })),
  LANGUAGE_UNSAFE: (ground) => givenUp(ground, 'LanguageUnsafe'),
  NOTIFICATION_REFUSED: (ground) => givenUp(ground, 'UnknownKind'),
  NOTIFICATION_MISSING: (ground) =>
    put(ground, 'notification_request', {
      ...{ organizationId: ground.classRow.organizationId, eventId: 1, recipientUserId: ground.student.id, kind: 'x' },
      ...{ payload: '{}', state: 'waiting', requestedAt: ago(ground, 301_000) },
    }),
  RETENTION_OVERDUE: (ground) =>
    put(ground, 'client_log', {
      ...{ organizationId: ground.classRow.organizationId, userId: ground.student.id, at: ago(ground, 93 * dayMs) },
    }),
  AGGREGATE_CELL_SMALL: async (ground) => {
    const id = newId();
    await release(ground, id);
    await put(ground, 'aggregate_cell', {
      ...{ organizationId: ground.classRow.organizationId, schoolYear, season: 'MOY', unit: 'school', space: 'tile' },
      ...{
        unitId: ground.classRow.schoolId,
        subject: 'x',
        releaseId: id,
        students: 3,
        suppressed: false,
        counts: '{}',
      },
    });
  },
  AGGREGATE_PUBLISHED_TWICE: async (ground) => {
    for (const id of [newId(), newId()]) await release(ground, id);
  },
  LMS_PREVIEW_PAST_EXPIRY: (ground) =>
    put(ground, 'lms_preview', {
      ...{
        organizationId: ground.classRow.organizationId,
        id: newId(),
        state: 'ready',
        createdAt: ago(ground, 32 * dayMs),
      },
    }),
  LMS_RUN_STUCK: (ground) =>
    put(ground, 'lms_sync_run', {
      ...{ organizationId: ground.classRow.organizationId, id: newId(), connectionId: newId(), state: 'running' },
      createdAt: ago(ground, 31 * minuteMs),
    }),
  LMS_CONFLICTS_WAITING: async (ground) => {
    const { organizationId } = ground.classRow;
    const connectionId = newId();
    const endedAt = ago(ground, 3 * dayMs);
    await put(ground, 'lms_connection', { organizationId, id: connectionId, provider: 'csv', status: 'active' });
    await put(ground, 'lms_sync_run', {
      ...{ organizationId, id: newId(), connectionId, state: 'partial', createdAt: endedAt, endedAt },
    });
  },
  EVIDENCE_VOIDED_OFTEN: async (ground) => {
    const { organizationId } = ground.classRow;
    const own = { organizationId, studentId: ground.student.id, kind: 'orf', reasonCode: 'disturbed', byUserId: 1 };
    for (let at = 0; at < 11; at++) {
      await put(ground, 'evidence_void', { ...own, refId: newId(), at: ago(ground, (1 + (at % 3)) * dayMs) });
    }
  },
  LMS_TOKEN_AFTER_END: (ground) =>
    connection(ground, { status: 'revoked', endedAt: ago(ground, 0), sealedCredentials: 'x' }),
  /** Under an existing key, for a column that it is not for. */
  LMS_TOKEN_UNREADABLE: (ground) => {
    const { cipher } = ground.app.services;
    const sealed = cipher.encrypt('{"refreshToken":"x"}', 'lms_connection:elsewhere:oneroster');
    return connection(ground, { status: 'active', sealedCredentials: sealed, credentialsKeyId: cipher.keyIds[0] });
  },
};
