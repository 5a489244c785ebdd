import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { exportedNameFindings } from '../../../../scripts/check/imports/exported-names.ts';

const none: ReadonlySet<string> = new Set();
const findings = (texts: Record<string, string>, conventional = none) =>
  exportedNameFindings(new Map(Object.entries(texts)), conventional);

test('a name that two capabilities export is a finding', () => {
  const texts = {
    'src/support/rti/alerts/open.ts': 'export async function openAlert() {}\n',
    'src/core/module/alerts.ts': 'export const openAlert = 1;\n',
  };
  assert.equal(findings(texts), ['openAlert: is exported by core/module and support/rti; name what each one is']);
});

test('a schema and its type have one name, and names inside a file or a capability are free', () => {
  const texts = {
    'src/support/rti/one.ts': 'export const Tier = 1;\nexport type Tier = number;\nexport interface Row {}\n',
    'src/support/rti/two.ts': 'export interface Row {}\nconst Other = 1;\n',
    'src/outcomes/reports/three.ts': 'interface Row {}\n  export const Tier = 1;\nexport const Other = 1;\n',
  };
  assert.equal(findings(texts), []);
});

test('a conventional name is allowed while two capabilities export it', () => {
  const texts = {
    'src/support/rti/one.ts': 'export const documentSchemas = {};\n',
    'src/outcomes/rewards/two.ts': 'export const documentSchemas = {};\n',
  };
  assert.equal(findings(texts, new Set(['documentSchemas'])), []);
  assert.equal(findings(texts, new Set(['documentSchemas', 'labels'])), [
    'labels: a conventional name that no two capabilities export',
  ]);
});

test.run();
