// Reasons of a student with a completed plan: another bundle waits for a measurement of its own anchor, as that stands.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signIn } from '../../../harness/factories.ts';
import { confirmed, type Json, monday, type Pupil, today, usePlans } from '../workflow/draft-bodies.ts';

const test = suite('reasons after plans');
const plans = usePlans(test);
const { app } = plans.shell;

test.before(() => app.clock.set(monday));

async function fromOf({ id, teacher }: Pupil, bundleId: string): Promise<unknown> {
  const path = `/api/students/${id}/bundle-recommendation/why`;
  const { status, body } = await app.get<Json>(path, { token: await signIn(app, teacher) });
  assert.is(status, 200, JSON.stringify(body));
  return (body.notChosen as Json[]).find(({ bundle_id }) => bundle_id === bundleId)?.from;
}

test('measured since the plan for the other role ended, and not measured since', async () => {
  const pupil = await plans.pupil();
  const change = [
    { fact: 'domainStatus', domainCode: 'DEC', is: 'weak_gateway', would: 'weak_isolated' },
    { fact: 'domainStatus', domainCode: 'LIS', is: 'adequate', would: 'broad_weakness_related' },
  ];
  assert.equal(await fromOf(pupil, 'BND-LANGUAGE-01'), change);
  const assignmentId = await plans.given(pupil, { bundle_id: 'BND-LANGUAGE-01', ...confirmed });
  const completed = { state: 'completed', completionResult: 'goals_not_met', currentStepNo: null };
  const ended = (endedOn: string) =>
    plans.change(pupil, assignmentId, { ...completed, endedOn, trackStatus: 'not_applicable' });
  await ended('2026-01-11');
  assert.equal(await fromOf(pupil, 'BND-LANGUAGE-01'), change);
  await ended(today);
  assert.is(await fromOf(pupil, 'BND-LANGUAGE-01'), null);
});

test.run();
