// timeout: 240s
// The third tier is decided by two independent people (11, Tier 3; GTE-03, GTE-04).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import type { Pupil } from '../../interventions/workflow/draft-bodies.ts';
import { buildAlert } from '../../rti/alerts/rows.ts';
import { useCouncil } from '../council.ts';
import { made } from '../desk.ts';
import { factsOf } from '../rows.ts';

const test = suite('the third tier by two people');
const council = useCouncil(test);
const { plans } = council;
const { app } = plans.shell;
const { owner } = app.database;
const waitHours = 72;
const hourMs = 3_600_000;
const specialist = 'HIGH_INTENSITY_SPECIALIST';

test.before(() => {
  Object.assign(app.services.config, { approverWaitHours: waitHours });
});

const acute = {
  ...{ kind: 'acute_regression_review', severity: 5, ruleId: 'RAL-02' },
  ...{ subSkillCode: 'DEC_WORD', domainCode: 'DEC' },
};

/** A student with an acute regression, to be moved from the second tier to the third. */
async function falling(): Promise<Pupil> {
  const pupil = await plans.pupil();
  await factsOf(owner, pupil).support();
  await factsOf(owner, pupil).movement(1, 2, '2026-01-04');
  await buildAlert(owner, pupil, acute);
  return pupil;
}

const patchAs = async (caller: UserRow, { id }: UserRow, body: object) => {
  const reply = await app.patch(`/api/users/${id}`, body, { token: await signIn(app, caller) });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
};

interface Details {
  readonly details?: readonly { readonly issue: string; readonly args?: { readonly until: string } }[];
}

async function refusal(user: UserRow, packetId: string) {
  const reply = await council.approve(user, packetId, { decision: 'escalate' });
  const [detail] = (reply.body as unknown as Details).details ?? [];
  return [reply.status, detail?.issue, detail?.args?.until];
}

const inWait = () => new Date(app.clock.now().getTime() + waitHours * hourMs).toISOString();

for (const [name, issue, touch] of [
  [
    'the approver has changed the opener’s address',
    'approver_not_independent',
    (approver: UserRow, { teacher }: Pupil) => patchAs(approver, teacher, { email: `t${teacher.id}@example.org` }),
  ],
  [
    'the approver has set the opener’s password',
    'approver_not_independent',
    (approver: UserRow, { teacher }: Pupil) => patchAs(approver, teacher, { password: 'violet-harbour-5521' }),
  ],
] as const) {
  test(`refused for the wait: ${name}`, async () => {
    const pupil = await falling();
    const approver = await council.specialist(pupil);
    await touch(approver, pupil);
    const until = inWait();
    const id = await council.assembled(pupil.teacher, pupil, 'acute_regression');
    assert.equal(await refusal(approver, id), [403, issue, until]);
  });
}

test('refused for the wait: the approver has made the opener a teacher of the class', async () => {
  const pupil = await falling();
  const approver = await council.specialist(pupil);
  const helper = await buildUser(owner, 'TEACHER', { organizationId: pupil.organizationId });
  const { classId } = await owner('enrollment').where({ studentId: pupil.id }).first('classId');
  const token = await signIn(app, approver);
  const attached = await app.post(`/api/classes/${classId}/teachers`, { teacherUserId: helper.id }, { token });
  assert.is(attached.status, 201, JSON.stringify(attached.body));
  const until = inWait();
  const id = await council.assembled(helper, pupil, 'acute_regression');
  assert.equal(await refusal(approver, id), [403, 'approver_not_independent', until]);
});

test('refused for the wait: the opener, an administrator, has made the approver’s account or given the role', async () => {
  const pupil = await falling();
  const opener = await council.admin(pupil);
  const approver = await council.admin(pupil);
  await patchAs(opener, approver, { seats: [specialist] });
  const until = inWait();
  const id = await council.assembled(opener, pupil, 'acute_regression');
  assert.equal(await refusal(approver, id), [403, 'approver_too_new', until], 'the role does not count yet');
});

test('the role of the specialist counts after the wait; with one administrator another one of the platform gives it', async () => {
  const pupil = await falling();
  const approver = await council.admin(pupil);
  const platform = await buildUser(owner, 'ADMIN', { organizationId: null, scope: 'SUPER' });
  await patchAs(platform, approver, { seats: [specialist] });
  const until = inWait();
  const id = await council.assembled(pupil.teacher, pupil, 'acute_regression');
  assert.equal(await refusal(approver, id), [403, 'approver_too_new', until]);
  const { seatsSince } = await owner('app_user').where({ id: approver.id }).first('seatsSince');
  const changed = new Date(new Date(seatsSince).getTime() - waitHours * hourMs);
  await owner('app_user').where({ id: approver.id }).update({ seatsSince: changed });
  assert.is(made(await council.approve(approver, id, { decision: 'escalate' }), 200).toTier, 3);
});

test('what others do, and changes of a name, are no reason', async () => {
  const pupil = await falling();
  const approver = await council.specialist(pupil);
  await patchAs(approver, pupil.teacher, { fullNameAr: 'اسم آخر' });
  await patchAs(await council.admin(pupil), pupil.teacher, { email: `other${pupil.teacher.id}@example.org` });
  const id = await council.assembled(pupil.teacher, pupil, 'acute_regression');
  assert.is(made(await council.approve(approver, id, { decision: 'escalate' }), 200).toTier, 3);
});

test('the database refuses an approval of the third tier by the opener of the packet', async () => {
  const pupil = await falling();
  const { organizationId } = pupil;
  const opener = await council.specialist(pupil);
  const id = await council.assembled(opener, pupil, 'acute_regression');
  const close = inContext(app.database.app, { organizationId }, (trx) =>
    trx('decision_packet')
      .where({ organizationId, id })
      .update({
        ...{ status: 'approved', decision: 'escalate', toTier: 3, decisionId: 'd', movementId: 1 },
        ...{ closedBy: opener.id, closedAt: app.clock.now() },
      }),
  );
  assert.match(await close.then(String, (error: Error) => error.message), /decided by two people/);
});

test.run();
