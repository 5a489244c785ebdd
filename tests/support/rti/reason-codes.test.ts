// The reason codes over HTTP: every code of the contract (51 §4.4) in its scope, with labels, and no other.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';

const test = suite('reason codes');
const app = useApp(test);
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface Code {
  readonly code: string;
  readonly scope: string;
  readonly kind: string;
  readonly labelAr: string;
  readonly labelEn: string;
}
interface Body {
  readonly items: readonly Code[];
  readonly ruleVersion: string;
}
const list = (query = '') => app.get<Body>(`/api/rti/reason-codes${query}`, { token: world.own.people.TEACHER.token });

/** As the contract writes them. */
const overrides = {
  rti_decision: ['Rti_Evidence_Conflict_01', 'Rti_Attendance_Gap_02'],
  workflow_adjustment: ['Wfl_Bundle_Substitution_03', 'Wfl_Plan_Adjustment_04'],
  gamification_rescind: ['Gam_Award_Invalid_05'],
  alert_dismissal: ['Alr_Already_Addressed_06', 'Alr_Measurement_Artifact_07'],
  packet_approval: ['Pkt_Team_Judgement_08'],
  session_recipient: ['Ses_Recipient_Inclusion_09'],
};
const reasons = {
  packet_rejection: ['Evidence_Outdated', 'Evidence_Conflicts', 'Duplicate_Review', 'Student_Left', 'Opened_In_Error'],
  packet_deferral: ['Awaiting_Probes', 'Awaiting_Delivery', 'Context_Active', 'Specialist_Unavailable'],
  assignment_pause: ['Long_Absence', 'School_Break', 'Schedule_Conflict'],
  assignment_stop: ['Need_Changed', 'Not_Suitable', 'Student_Left', 'Opened_In_Error', 'Plan_Expired'],
  session_cancel: ['Staff_Absent', 'Class_Cancelled', 'Duplicate_Session', 'Opened_In_Error'],
  narrative_rejection: ['Tone_Not_Suitable', 'Content_Inaccurate', 'Reading_Level_Too_High'],
};

test('every scope holds exactly the codes of the contract, each with a label in both languages', async () => {
  const { body, status } = await list();
  assert.is(status, 200);
  assert.is(body.ruleVersion, 'rti/reason-codes@2');
  const found: Record<string, string[]> = {};
  for (const { code, scope, kind, labelAr, labelEn } of body.items) {
    found[scope] = [...(found[scope] ?? []), code];
    assert.is(kind, scope in overrides ? 'override' : 'reason', code);
    assert.match(labelAr, /\p{Script=Arabic}/u);
    assert.match(labelEn, /[a-z]/);
  }
  assert.equal(found, { ...overrides, ...reasons });
});

test('one scope alone; an unknown scope is refused', async () => {
  for (const [scope, codes] of Object.entries({ ...overrides, ...reasons })) {
    const { body } = await list(`?scope=${scope}`);
    assert.equal(
      body.items.map(({ code }) => code),
      codes,
    );
  }
  for (const query of ['?scope=rti', '?scope=', '?colour=red']) assert.is((await list(query)).status, 422, query);
});

test.run();
