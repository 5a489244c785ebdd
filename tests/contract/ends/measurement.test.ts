// timeout: 600s
// The numbers of measurement and the calendar at their ends, and what holds for all documents: no
// number can break the service, for at an end it is refused at validation, or the flows that read it go on.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { endCases, namesOf, refusalOf, unranged } from './cases.ts';
import { walk } from './walk.ts';

const elsewhere = ['dth/dth', 'rbm/rbm', 'subflag/subflag', 'cbm/trend'];
/** Walked by tests/support/interventions/ends.test.ts: no flow of the service reads them yet. */
const ofInterventions = (name: string) => /^(profile|bundle|cluster|rti|fidelity)\//.test(name);
/** Walked by tests/outcomes/rewards/ends.test.ts. */
const ofRewards = (name: string) => name.startsWith('gamification/');
/** Walked by tests/outcomes/aggregates/rules/bands.test.ts. */
const ofBands = (name: string) => name.startsWith('band-descriptions/');
/** Walked by tests/outcomes/parents/ends.test.ts. */
const ofFamilies = (name: string) => name === 'growth-trend/tile';
/** Templates, whose one number says how long they are kept. */
const ofNotifications = (name: string) => name.startsWith('notification/');
const ofOthers = (name: string) =>
  ofInterventions(name) || ofRewards(name) || ofBands(name) || ofFamilies(name) || ofNotifications(name);
const test = suite('ends of the numbers of measurement');
const readBy = walk(
  test,
  (one) => !namesOf(one).some((name) => elsewhere.includes(name) || name.startsWith('benchmark/') || ofOthers(name)),
);

test('every constant of every document has a range of its own', () => {
  assert.equal(unranged(), []);
});

/** Language rules hold no number: tests/rules/language and tests/backoffice/language-rules are about them. */
const ofLanguage = ['language/context-flags', 'language/family', 'language/staff', 'language/student'];
/** Read by approvals, by the daily purge and by checks of the service itself, which have tests of their own. */
const readElsewhere = [...ofLanguage, 'operations/approvals', 'operations/retention', 'qa/checks'];

test('every document is read by some flow', () => {
  const read = new Set([...readBy.values()].flatMap((names) => [...names]));
  const unread = Object.keys(bundle.versions).filter((name) => !read.has(name) && !ofOthers(name));
  assert.equal(unread, readElsewhere);
});

test('language rules hold no number', () => {
  for (const name of ofLanguage) {
    const document = bundle.documents.find(({ meta }) => `${meta.family}/${meta.key}` === name);
    assert.ok(document, name);
    assert.not.ok(document.constants, name);
  }
});

test('shipped values pass what refuses others', () => {
  assert.equal(refusalOf(bundle.documents), []);
});

test('some ends are refused, most are possible', () => {
  const cases = endCases();
  const refused = cases.filter(({ documents }) => refusalOf(documents).length > 0);
  assert.ok(cases.length > 200, String(cases.length));
  assert.ok(refused.length > 0 && refused.length < cases.length / 2, `${refused.length} of ${cases.length}`);
});

test.run();
