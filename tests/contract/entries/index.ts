// The entries of all routes. A route without an entry fails the tests.
import type { Caller } from '../operations/access.ts';
import type { Entries, Entry } from '../requests/entry.ts';
import { languageEntries } from './language.ts';
import { fluencyEntries } from './measurement/fluency.ts';
import { measurementEntries } from './measurement/measurement.ts';
import { nextDataEntries } from './measurement/next-data.ts';
import { practiceEntries } from './measurement/practice.ts';
import { skillStatusEntries } from './measurement/skill-status.ts';
import { teaserEntries } from './measurement/teaser.ts';
import { voidEntries } from './measurement/voids.ts';
import { warmupEntries } from './measurement/warmup.ts';
import { notificationEntries } from './notifications.ts';
import { operationsEntries } from './operations.ts';
import { demoEntries } from './people/demo.ts';
import { identityEntries } from './people/identity.ts';
import { lmsEntries } from './people/lms.ts';
import { tenancyEntries } from './people/tenancy.ts';
import { aggregateEntries } from './reports/aggregates.ts';
import { parentEntries } from './reports/parents.ts';
import { reportJobEntries } from './reports/report-jobs.ts';
import { reportEntries } from './reports/reports.ts';
import { rewardAuditEntries } from './reward-audit.ts';
import { rewardEntries } from './rewards.ts';
import { standardEntries } from './standards.ts';
import { contextFlagEntries } from './support/context-flags.ts';
import { decisionPacketEntries } from './support/decision-packets.ts';
import { fidelityEntries } from './support/fidelity.ts';
import { interventionEntries } from './support/interventions.ts';
import { rtiEntries } from './support/rti.ts';
import { rtiDecisionEntries } from './support/rti-decisions.ts';
import { workflowEntries } from './support/workflow.ts';
import { liveRunEntries } from './teaching/live-runs.ts';
import { liveSessionEntries } from './teaching/live-sessions.ts';
import { sessionBlueprintEntries } from './teaching/session-blueprints.ts';
import { sessionEntries } from './teaching/sessions.ts';
import { workbenchExplainEntries } from './workbench/explain.ts';
import { workbenchImpactEntries } from './workbench/impact.ts';
import { workbenchReplayEntries } from './workbench/replays.ts';
import { workbenchEntries } from './workbench/workbench.ts';

const entries: Entries = {
  ...aggregateEntries,
  ...contextFlagEntries,
  ...decisionPacketEntries,
  ...identityEntries,
  ...languageEntries,
  ...tenancyEntries,
  ...liveRunEntries,
  ...liveSessionEntries,
  ...lmsEntries,
  ...measurementEntries,
  ...notificationEntries,
  ...operationsEntries,
  ...parentEntries,
  ...practiceEntries,
  ...fidelityEntries,
  ...fluencyEntries,
  ...voidEntries,
  ...interventionEntries,
  ...nextDataEntries,
  ...demoEntries,
  ...reportJobEntries,
  ...reportEntries,
  ...rewardAuditEntries,
  ...rewardEntries,
  ...rtiEntries,
  ...rtiDecisionEntries,
  ...sessionBlueprintEntries,
  ...sessionEntries,
  ...skillStatusEntries,
  ...standardEntries,
  ...teaserEntries,
  ...warmupEntries,
  ...workbenchEntries,
  ...workbenchImpactEntries,
  ...workbenchExplainEntries,
  ...workbenchReplayEntries,
  ...workflowEntries,
};

export const entryNames = Object.keys(entries);

export function entryOf(operation: string): Entry {
  const entry = entries[operation];
  if (!entry) throw new Error(`${operation} has no entry in tests/contract/entries/: add one`);
  return entry;
}

/** True when the operation refuses a caller with permission and reach because of the state of its rows. */
export function refusesByItself(operation: string, caller: Caller): boolean {
  const { expect } = entryOf(operation);
  return typeof expect === 'object' && expect[caller] === 403;
}
