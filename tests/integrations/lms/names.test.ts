// A name never says that two children are one: whatever ids and addresses a roster has, a child is an account that there is
// only by its identity, or by the address of an active account of the own organization.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decidePerson, type LocalPerson, type PersonFacts } from '#integrations/lms/engine/people.ts';
import { buildClass, buildStudent } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant } from '../../harness/world.ts';
import { rosterSet } from './sets.ts';
import { RosterAdmin } from './walk.ts';

const name = 'محمد العلي';
const local = fc.record({
  userId: fc.constantFrom(1, 2, 3),
  persona: fc.constantFrom('STUDENT', 'TEACHER', 'PARENT', 'ADMIN'),
  fullNameAr: fc.constant(name),
  email: fc.constantFrom(null, 'a@x.example', 'b@x.example'),
  status: fc.constantFrom('active', 'inactive', 'pending'),
}) satisfies fc.Arbitrary<LocalPerson>;
const email = fc.constantFrom(null, 'a@x.example', 'b@x.example');
const facts: fc.Arbitrary<PersonFacts> = fc.record({
  ...{ isBad: fc.constant(false), isErased: fc.constant(false), roles: fc.constant(['student' as const]) },
  ...{ fullNameAr: fc.constant(name), email, active: fc.boolean(), emailCount: fc.integer({ min: 0, max: 3 }) },
  ...{ byIdentity: fc.option(local), byEmail: fc.option(local), isEmailElsewhere: fc.boolean() },
  isShared: fc.boolean(),
  base: fc.option(fc.record({ fullNameAr: fc.constant(name), email, active: fc.boolean() })),
  hasNewChildren: fc.constant(false),
  others: fc.option(
    fc.record({
      isActive: fc.boolean(),
      wasActive: fc.boolean(),
      isAhead: fc.boolean(),
      fullNames: fc.constant([name]),
      emails: fc.array(email),
    }),
  ),
});

test('only an identity, or the address of an active account, says who a person is', () => {
  fc.assert(
    fc.property(facts, (one) => {
      const { local: found, action, changes } = decidePerson(one);
      const byAddress = one.byEmail?.status === 'active' ? one.byEmail : null;
      assert.ok(found === null || found === one.byIdentity || found === byAddress);
      if (!one.byIdentity && !byAddress) assert.ok(action !== 'update' && changes.length === 0);
      if (action === 'create') assert.ok(!one.byIdentity && !one.byEmail);
    }),
    { numRuns: 2_000 },
  );
});

test('an address that two of a roster have links neither of them to an account anew', () => {
  fc.assert(
    fc.property(facts, fc.integer({ min: 2, max: 5 }), (one, emailCount) => {
      const fresh = { ...one, byIdentity: null, email: 'a@x.example', emailCount };
      assert.is(decidePerson(fresh).action, 'conflict');
    }),
    { numRuns: 500 },
  );
});

const app = useApp(test, { rules: true });
const { owner } = app.database;
const child = fc.record({
  id: fc.stringMatching(/^[a-z0-9.-]{1,12}$/),
  address: fc.constantFrom('none', 'own', 'shared'),
});

test('children of one name are as many accounts as children, however often they are imported', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(child, { selector: ({ id }) => id, minLength: 2, maxLength: 8 }),
      async (children) => {
        const tenant = await buildTenant(app);
        const { organizationId, school } = tenant;
        const classRow = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
        await buildStudent(owner, classRow, { fullNameAr: name });
        const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
        const emails = {
          none: () => '',
          own: (id: string) => `${id}.${tenant.people.ADMIN.id}@x.example`,
          shared: () => `s${tenant.people.ADMIN.id}@x.example`,
        };
        const people = children.map(({ id, address }) => ({
          id,
          given: 'محمد',
          family: 'العلي',
          email: emails[address](`c${id}c`.replaceAll('..', '.')),
        }));
        const enrolled = people.map(({ id: person }) => ({ course: 'A', person }));
        const { body } = await admin.upload(rosterSet({ classes: [{ id: 'A', title: 'الأول' }], people, enrolled }));
        await admin.map({ A: classRow.id });
        for (let time = 0; time < 2; time += 1) {
          const { previewId, summary } = await admin.preview(body.id);
          if (summary.conflict > 0) await admin.resolveAll(previewId, 'ambiguous_email', 'accept_lms');
          const { status, body: answer } = await admin.commit(previewId);
          assert.is(status, 200, JSON.stringify(answer));
          const links = await owner('external_identity').where({ organizationId, provider: 'oneroster' });
          assert.is(new Set(links.map(({ userId }) => userId)).size, children.length);
          const named = await owner('app_user').where({ organizationId, fullNameAr: name });
          assert.is(named.length, children.length + 1);
        }
      },
    ),
    { numRuns: 6 },
  );
});

test.run();
