// timeout: 240s
// Concurrent approvals, a student who leaves meanwhile, a failing write: each is atomic.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signIn } from '../../../harness/factories.ts';
import { wordsWrong } from '../../interventions/workflow/draft-bodies.ts';
import { useCouncil } from '../council.ts';
import { made, summary } from '../desk.ts';
import { factsOf } from '../rows.ts';

const test = suite('approvals are whole');
const council = useCouncil(test);
const { plans, assembled, refused } = council;
const { app } = plans.shell;
const { owner } = app.database;

const evaluated = { overrideCode: 'Pkt_Team_Judgement_08' };

test('approved twice at once: one 200, one 409; one decision, one movement', async () => {
  const pupil = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  await council.evaluate(pupil);
  const { teacher } = pupil;
  const id = await assembled(teacher, pupil, 'tier_escalation');
  const callers = [teacher, await council.admin(pupil), await council.admin(pupil), teacher];
  const replies = await Promise.all(callers.map((user) => council.approve(user, id, { decision: 'escalate' })));
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  for (const reply of replies.filter(({ status }) => status === 409)) {
    assert.equal(summary(reply), [409, 'CONFLICT', 'packet_closed']);
  }
  assert.equal([(await council.decisions(pupil)).length, (await council.movements(pupil)).length], [1, 1]);
});

test('a packet and a commit at once: the second one finds another tier or another recommendation', async () => {
  const pupil = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  await council.evaluate(pupil);
  const { teacher } = pupil;
  const id = await assembled(teacher, pupil, 'tier_escalation');
  const { recommendationId } = await council.recommendation(pupil);
  const replies = await Promise.all([
    council.approve(teacher, id, { decision: 'escalate' }),
    council.commit(pupil, { recommendationId, decision: 'escalate' }),
  ]);
  const statuses = replies.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status < 300).length, 1, JSON.stringify(statuses));
  assert.ok(statuses.includes(409));
  assert.equal([(await council.decisions(pupil)).length, (await council.movements(pupil)).length], [1, 1]);
});

test('the student leaves before the decision: not_enrolled, and closed once the service has followed', async () => {
  const pupil = await plans.pupil();
  const id = await assembled(pupil.teacher, pupil, 'tier_escalation');
  const admin = await council.admin(pupil);
  const path = `/api/classes/${pupil.classRow.id}/students/${pupil.id}`;
  await app.delete(path, { token: await signIn(app, admin) });
  await refused(pupil, admin, id, { decision: 'maintain' }, [409, 'CONFLICT', 'not_enrolled']);
  made(await council.reject(admin, id, 'Student_Left'), 200);
  await refused(pupil, admin, id, { decision: 'maintain' }, [409, 'CONFLICT', 'packet_closed']);
});

test('a move that fails leaves nothing of the approval; back-dated over a movement it is refused', async () => {
  const pupil = await plans.pupil();
  const { teacher } = pupil;
  await factsOf(owner, pupil).support();
  await factsOf(owner, pupil).movement(1, 2, '2026-01-04');
  const id = await assembled(teacher, pupil, 'scheduled_tier_review');
  const back = { decision: 'maintain', effectiveOn: '2026-01-03', ...evaluated };
  await refused(pupil, teacher, id, back, [422, 'VALIDATION_ERROR', 'out_of_range']);
  const early = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  await council.evaluate(early);
  const other = await assembled(early.teacher, early, 'tier_escalation');
  await owner.raw(`create function refuse_packet() returns trigger language plpgsql as $$ begin
    if new.status = 'approved' then raise exception 'broken'; end if; return new; end $$;
    create trigger refuse_packet before update on decision_packet for each row execute function refuse_packet()`);
  const before = await council.everything(early);
  const reply = await council.approve(early.teacher, other, { decision: 'escalate' });
  await owner.raw('drop trigger refuse_packet on decision_packet; drop function refuse_packet()');
  assert.is(reply.status, 500);
  assert.equal(await council.everything(early), before);
  made(await council.approve(early.teacher, other, { decision: 'escalate' }), 200);
});

test('a closed packet, its decision and its movement stay in SQL too', async () => {
  const pupil = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  await council.evaluate(pupil);
  const id = await assembled(pupil.teacher, pupil, 'tier_escalation');
  const closed = made(await council.approve(pupil.teacher, id, { decision: 'escalate' }), 200);
  const rows: readonly (readonly [string, unknown])[] = [
    ['decision_packet', id],
    ['rti_decision', closed.decisionId],
    ['tier_movement', closed.movementId],
  ];
  for (const [table, key] of rows) {
    for (const statement of [
      `update ${table} set organization_id = organization_id where id = ?`,
      `delete from ${table} where id = ?`,
    ]) {
      const answer = await owner.raw(statement, [key as string]).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
      assert.match(answer, /append-only|stays as it is|keeps its rows/, statement);
    }
  }
  const gates = closed.gates;
  await factsOf(owner, pupil).skillState('LIS_LITERAL', '2026-01-12T09:00:00.000Z', 999_999);
  assert.equal((await council.packet(pupil.teacher, id)).gates, gates);
});

test.run();
