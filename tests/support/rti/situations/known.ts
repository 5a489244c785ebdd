// Students for decisions about tiers on a test file's own database, with measurements, assignments and readings, and their
// situation.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { RtiSituation } from '#support/rti/situations/situation.ts';
import { rtiSituationsOf } from '#support/rti/situations/situations.ts';
import { signIn } from '../../../harness/factories.ts';
import { type Sessions, useSessions } from '../../interventions/deliveries/sessions.ts';
import type { Json, Pupil } from '../../interventions/workflow/draft-bodies.ts';

export interface Known extends Sessions {
  /** The student's situation at the clock's time. */
  situation(pupil: Pupil): Promise<RtiSituation>;
  /** Words read correctly in a minute on each date, from paper. */
  reads(pupil: Pupil, scores: Readonly<Record<string, number>>): Promise<void>;
  /** Inserts as the owner of the tables. */
  insert(pupil: Pupil, table: string, columns: Json): Promise<void>;
  /** A movement with its decision. */
  moved(pupil: Pupil, fromTier: number, toTier: number, effectiveOn: string): Promise<void>;
}

const passages = 10;

export function useKnown<Context>(test: Test<Context>): Known {
  const sessions = useSessions(test);
  const { app, services } = sessions.plans.shell;
  const { owner } = app.database;
  const insert = ({ organizationId, id: studentId }: Pupil, table: string, columns: Json) =>
    inContext(owner, { organizationId }, async (trx) => {
      await trx('student_support').insert({ organizationId, studentId }).onConflict().ignore();
      await trx(table).insert({ organizationId, studentId, ...columns });
    });
  return {
    ...sessions,
    insert,
    async situation({ organizationId, id }) {
      const question = { organizationId, studentIds: [id], now: app.clock.now() };
      const { situations } = await inContext(services.db, { organizationId }, (trx) =>
        rtiSituationsOf(trx, services, question),
      );
      const found = situations.get(id);
      assert.ok(found);
      return found as RtiSituation;
    },
    async reads({ id: studentId, teacher }, scores) {
      for (const [at, [administeredOn, words]] of Object.entries(scores).entries()) {
        const place = String((at % passages) + 1).padStart(2, '0');
        const body = {
          ...{ measureCode: 'ORF_WCPM', studentId, passageId: `ORF-G2-${place}`, administeredOn },
          ...{ wordsAttempted: words, errors: 0, elapsedSeconds: 60 },
        };
        const reply = await app.post('/api/cbm/probes', body, { token: await signIn(app, teacher) });
        assert.is(reply.status, 201, JSON.stringify(reply.body));
      }
    },
    moved: (pupil, fromTier, toTier, effectiveOn) =>
      insert(pupil, 'tier_movement', {
        ...{ schoolYear: '2025-2026', fromTier, toTier, effectiveOn, sourceType: 'rti_decision', sourceId: newId() },
        ...{ decidedBy: pupil.teacher.id, committedAt: app.clock.now(), ruleVersions: '{}' },
      }),
  };
}
