// A session that is stored as a whole is the one that comes about item by item: the same items, answers, estimates and end.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  activeMeasurement,
  answered,
  finishDiagnostic,
  startDiagnostic,
  storeSitting,
  turnOf,
} from '../../../src/measurement/index.ts';
import { inContext, type Trx } from '../../../src/platform/db.ts';
import { buildClass, buildStudent, signIn, type UserRow } from '../../support/factories.ts';
import { useApp } from '../../support/http.ts';
import { child } from './child.ts';

const test = suite('sittings');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const thinkMs = 3_000;
const startsAt = app.clock.now();

/** Right, wrong, skipped, right, … */
type Choice = { readonly selectedOptionIndex: number } | { readonly skipped: true };
function choice(
  turn: number,
  { correctIndex, options }: { correctIndex: number; options: readonly unknown[] },
): Choice {
  if (turn % 5 === 4) return { skipped: true };
  return { selectedOptionIndex: turn % 2 === 0 ? correctIndex : (correctIndex + 1) % options.length };
}

/** A sub-skill for which there is nothing to ask comes first: it is closed on the way. */
async function withoutItems(sessionId: string): Promise<void> {
  const { bank, catalogue } = await inContext(app.database.app, 'SUPER', (trx) =>
    activeMeasurement(app.services, trx, startsAt),
  );
  const { gradeBand, subSkills } = await owner('diagnostic_session').where({ id: sessionId }).first();
  const empty = catalogue.subSkills.find(({ code }) => bank.cell(code, gradeBand).length === 0);
  assert.ok(empty, 'every sub-skill has items for this band');
  await owner('diagnostic_session')
    .where({ id: sessionId })
    .update({ subSkills: [empty.code, ...subSkills] });
}

async function itemByItem(user: UserRow): Promise<void> {
  const kid = child(app, { ...user, token: await signIn(app, user) });
  const { sessionId } = (await kid.start()).body;
  await withoutItems(sessionId);
  const { bank } = await inContext(app.database.app, 'SUPER', (trx) => activeMeasurement(app.services, trx, startsAt));
  for (let turn = 0; ; ) {
    const { outcome, served } = (await kid.next(sessionId)).body;
    if (outcome === 'no_eligible_item') continue;
    if (!served) break;
    app.clock.advance(thinkMs);
    const item = bank.find(served.itemId);
    assert.ok(item, served.itemId);
    await kid.answer(sessionId, { servedItemId: served.servedItemId, latencyMs: thinkMs, ...choice(turn, item) });
    turn += 1;
  }
  assert.is((await kid.finish(sessionId)).status, 200);
}

async function atOnce(trx: Trx, user: UserRow): Promise<void> {
  const started = await startDiagnostic(app.services, trx, user.id, undefined, startsAt);
  const { session } = started;
  const { subSkills } = await owner('diagnostic_session').where({ status: 'FINISHED' }).first('subSkills');
  await trx('diagnostic_session').where({ organizationId: user.organizationId, id: session.id }).update({ subSkills });
  let atMs = startsAt.getTime();
  let { open, item } = turnOf({ ...started, session: session.$clone().$set({ subSkills }) }, startsAt);
  for (let turn = 0; item; turn += 1) {
    atMs += thinkMs;
    open = answered(open, { latencyMs: thinkMs, ...choice(turn, item) }, new Date(atMs));
    ({ open, item } = turnOf(open, new Date(atMs)));
  }
  await storeSitting(trx, open);
  await finishDiagnostic(app.services, trx, session.id, new Date(atMs));
}

/** Without the ids and places in the ledger that are drawn anew. */
async function rowsOf({ id: studentId }: UserRow): Promise<object> {
  const {
    id: sessionId,
    studentId: _student,
    ...session
  } = await owner('diagnostic_session').where({ studentId }).first();
  const of = async (table: string, ...order: string[]) => {
    const rows = await owner(table).where({ sessionId }).orderBy(order);
    return rows.map(({ id: _id, sessionId: _session, servedItemId: _served, ledgerNo: _place, ...row }) => row);
  };
  return {
    session,
    served: await of('diagnostic_served_item', 'seq'),
    responses: await of('diagnostic_response', 'seq'),
    estimates: await of('diagnostic_estimate', 'subSkillCode'),
    behaviour: (await of('rbm_log', 'sessionId')).map(({ studentId: _, ...row }) => row),
  };
}

test('a sitting at once leaves the rows that one over HTTP leaves', async () => {
  const classRow = await buildClass(owner, { grade: 1 });
  const [one, other] = [await buildStudent(owner, classRow), await buildStudent(owner, classRow)];
  await itemByItem(one);
  await inContext(app.database.app, { organizationId: classRow.organizationId }, (trx) => atOnce(trx, other));
  const expected = (await rowsOf(one)) as { responses: object[]; session: { closedSubSkills: string[] } };
  assert.ok(expected.responses.length > 20, String(expected.responses.length));
  assert.is(expected.session.closedSubSkills.length, 1);
  assert.equal(await rowsOf(other), expected);
});

test.run();
