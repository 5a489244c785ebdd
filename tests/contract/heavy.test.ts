// Which operations are heavy (contract 11, "One person"): those that render, export, explain, try or simulate, or read
// a whole class, school or organization. They are found by what they do; exceptions are listed with a reason.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { openApiDocument } from '#core/http/description/openapi.ts';
import type { Route } from '#core/http/route.ts';

const routes = allRoutes();

/** Names of operations that render, export, explain, try, simulate or replay. */
const named =
  /^(?:render|export|explain|try|test|validate|dryRun|replay|preview|recomputeClusters|diff)|(?:Document|Pdfs?|PackFile|Letter)$/;

const isPaged = ({ query }: Route) => query !== undefined && 'cursor' in query.properties;
/** A read of a class, a school or an organization without pages. */
const readsWhole = (route: Route) =>
  route.method === 'get' &&
  (/^(?:C|SC|O)\b/.test(route.reach) || /\/(?:class(?:es)?|schools?|orgs?|teacher)\/:/.test(route.path)) &&
  !isPaged(route);
/** Work outside a transaction takes longer than a transaction may. */
const looksHeavy = (route: Route) => named.test(route.operation) || readsWhole(route) || route.prepare !== undefined;

/** Reason → operations that are light for this reason. */
const light: Readonly<Record<string, readonly string[]>> = {
  'one row without its dependants': ['getOrganization', 'getSchool', 'getClass', 'getUser', 'getSession'],
  'a lesson that its screen polls': [
    ...['getLiveSession', 'getLivePlaylist', 'getLiveGroups', 'getProjectorAnswerKey'],
  ],
  'a stored file, and how far it is': [
    ...['getReportJob', 'getReportJobFile', 'getParentPdfBatch', 'getParentPdfBatchFile'],
  ],
  'a worker renders it': ['startBoardPdf', 'startClassReportPdf'],
  'one password is hashed': ['changePassword', 'enrollTotp', 'disableTotp', 'createUser', 'updateUser'],
  'it waits for a provider': ['submitLmsToken', 'startLmsOauth', 'listLmsCourses', 'saveLmsMappings'],
  'one family reads of one child': [
    ...['listChildren', 'listChildDiagnostics', 'getChildGrowth', 'getChildRecommendations'],
  ],
  'open for hours, and three of a person at most': ['streamNotifications'],
};
const explained = new Set(Object.values(light).flat());

test('an operation that renders, exports, explains, tries, simulates or reads a whole class, school or organization is heavy', () => {
  const signedIn = routes.filter(({ allow }) => allow !== 'public');
  const missing = signedIn.filter((route) => looksHeavy(route) && !route.heavy && !explained.has(route.operation));
  assert.equal(
    missing.map(({ operation }) => operation),
    [],
  );
});

test('each operation with a reason to be light exists, looks heavy and is not', () => {
  for (const operation of explained) {
    const route = routes.find((one) => one.operation === operation);
    assert.ok(route && looksHeavy(route) && !route.heavy, operation);
  }
});

test('the operations of the security review’s load test are heavy', () => {
  const burst = ['getRtiBoard', 'getDataRoom', 'exportStudentData', 'exportRuleSets', 'issueClassQuickCodes'];
  for (const operation of [...burst, 'renderParentPdf', 'checkRuleChange', 'tryRuleVersion', 'explainResult']) {
    assert.ok(routes.find((route) => route.operation === operation)?.heavy, operation);
  }
});

test('openapi.json marks heavy operations', () => {
  const { paths } = openApiDocument(routes) as {
    paths: Record<string, Record<string, { operationId: string; 'x-heavy': boolean }>>;
  };
  const documented = Object.values(paths).flatMap((methods) => Object.values(methods));
  assert.is(documented.length, routes.length);
  for (const one of documented) {
    assert.is(one['x-heavy'], routes.find(({ operation }) => operation === one.operationId)?.heavy, one.operationId);
  }
});

test.run();
