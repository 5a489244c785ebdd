// The life cycle of an assignment against the contract's table (50 §2.4), copied here: random moves over HTTP, each with the
// state of the table, or 409 and nothing written.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../../contract/requests/random.ts';
import type { Reply } from '../../../harness/fetch.ts';
import { adjusted, confirmed, type Json, monday, type Pupil, reported, today, usePlans } from './draft-bodies.ts';

const test = suite('life of an assignment');
const plans = usePlans(test);
const { app } = plans.shell;
const dayMs = 86_400_000;

type State = 'scheduled' | 'active' | 'paused' | 'completed' | 'stopped' | 'superseded';
const open: readonly State[] = ['scheduled', 'active', 'paused'];

/** AS-03 to AS-09 and the moves without a change of state; all others are AS-11 or AS-12. */
const table: Readonly<Record<string, { readonly from: readonly State[]; readonly to: State | 'same' }>> = {
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused'], to: 'active' },
  stop: { from: open, to: 'stopped' },
  complete: { from: ['active'], to: 'completed' },
  replace: { from: open, to: 'superseded' },
  extend: { from: ['active'], to: 'same' },
  step_up: { from: ['active'], to: 'same' },
  step_down: { from: ['active'], to: 'same' },
  reassign: { from: open, to: 'same' },
};

const fieldsOf = (action: string, pupil: Pupil, bundle: string): Json => {
  if (action === 'pause') return { reasonCode: 'School_Break' };
  if (action === 'stop') return { reasonCode: 'Not_Suitable' };
  if (action === 'replace') return { bundle_id: bundle, ...confirmed };
  return action === 'reassign' ? { providerUserId: pupil.teacher.id } : {};
};

/** With a reason code when one is required. */
async function asked(pupil: Pupil, body: Json): Promise<Reply<Json>> {
  const reply = await plans.review(pupil, body);
  return reported(reply)[2] === 'action confirmation_required' ? plans.review(pupil, { ...body, ...adjusted }) : reply;
}

/** Refusals that do not depend on the state alone. */
const others = ['action extend_limit', 'action tier_bound', 'bundle_id already_open'];

interface Model {
  id: string;
  state: State;
  bundle: string;
  startOn: string;
}

const bundles = ['SUP-DECODE-01', 'SUP-LETTER-01', 'BND-COMP-01', 'LSA-MONITOR-01'];

async function begin(pupil: Pupil, startOn: string): Promise<Model> {
  const id = await plans.given(pupil, { startOn });
  return { id, startOn, bundle: 'BND-DECODE-01', state: startOn <= today ? 'active' : 'scheduled' };
}

async function step(pupil: Pupil, model: Model, action: string, bundle: string): Promise<Model> {
  const date = app.clock.now().toISOString().slice(0, 10);
  // AS-03: any write starts it once its day has come.
  const now: State = model.state === 'scheduled' && model.startOn <= date ? 'active' : model.state;
  const rule = table[action];
  const before = await plans.written(pupil);
  const reply = await asked(pupil, { assignmentId: model.id, action, ...fieldsOf(action, pupil, bundle) });
  const line = `${action} from ${now}: ${JSON.stringify(reply.body)}`;
  const isMove = rule?.from.includes(now) ?? false;
  if (reply.status !== 200) {
    const [status, , issue] = reported(reply);
    assert.is(status, 409, line);
    assert.is(issue === 'action invalid_transition', !isMove, line);
    if (isMove) assert.ok(others.includes(String(issue)), line);
    assert.equal(await plans.written(pupil), before, line);
    return model;
  }
  assert.ok(isMove, line);
  const state = rule?.to === 'same' ? now : (rule?.to ?? now);
  assert.is((await plans.row(pupil, model.id)).state, state, line);
  if (action !== 'replace') return { ...model, state };
  const made = reply.body.assignment as { assignmentId: string; state: State; startOn: string };
  assert.is(made.state, 'active', line);
  return { id: made.assignmentId, state: made.state, bundle, startOn: made.startOn };
}

for (const seed of [1, 2, 3]) {
  test(`thirty random moves, row ${seed}`, async () => {
    app.clock.set(monday);
    const { below, pick } = seededRandom(seed);
    const pupil = await plans.pupil();
    let model = await begin(pupil, pick([today, '2026-01-14', '2026-01-20']));
    for (let move = 0; move < 30; move += 1) {
      if (below(5) === 0) app.clock.advance(dayMs);
      // After some moves of an ended one the test continues with another student.
      if (!open.includes(model.state) && below(2) === 0) model = await begin(await plans.classmate(pupil), today);
      model = await step(pupil, model, pick(Object.keys(table)), pick(bundles));
    }
    const { assignments } = (await plans.written(pupil)) as { assignments: Json[] };
    const topics = (await plans.events(pupil)).map(
      ({ topic, payload }) => `${topic} ${(payload as Json).assignmentId}`,
    );
    assert.is(new Set(topics).size, topics.length, 'each has begun once and ended once');
    for (const { id, state } of assignments) {
      assert.is(topics.includes(`assignment.closed ${id}`), !open.includes(state as State), String(state));
      if (state === 'active' || state === 'paused') assert.ok(topics.includes(`assignment.activated ${id}`));
    }
  });
}

test('every pair of state and move that the table does not list is 409, and nothing is written', async () => {
  const pupil = await plans.pupil();
  const ways: Readonly<Record<State, (id: string) => Promise<unknown>>> = {
    scheduled: async () => undefined,
    active: async () => undefined,
    paused: (id) => plans.review(pupil, { assignmentId: id, action: 'pause', reasonCode: 'School_Break' }),
    completed: (id) => plans.review(pupil, { assignmentId: id, action: 'complete', ...adjusted }),
    stopped: (id) => plans.review(pupil, { assignmentId: id, action: 'stop', reasonCode: 'Need_Changed' }),
    superseded: (id) =>
      plans.review(pupil, { assignmentId: id, action: 'replace', bundle_id: 'SUP-PHON-01', ...confirmed }),
  };
  for (const state of Object.keys(ways) as State[]) {
    const one = await plans.classmate(pupil);
    const id = await plans.given(one, state === 'scheduled' ? { startOn: '2026-01-20' } : {});
    await ways[state](id);
    assert.is((await plans.row(one, id)).state, state);
    for (const [action, { from }] of Object.entries({ ...table, acknowledge_off_track: { from: [] as State[] } })) {
      if (from.includes(state)) continue;
      const before = await plans.written(one);
      const fields = action === 'acknowledge_off_track' ? {} : fieldsOf(action, one, 'SUP-LETTER-01');
      const reply = await plans.review(one, { assignmentId: id, action, ...fields });
      assert.equal(reported(reply), [409, 'CONFLICT', 'action invalid_transition'], `${action} from ${state}`);
      assert.equal(await plans.written(one), before, `${action} from ${state}`);
    }
  }
});

test.run();
