// Every route's entry. A route without one fails the walks.
import type { Caller } from '../access.ts';
import type { Entries, Entry } from '../entry.ts';
import { aggregateEntries } from './aggregates.ts';
import { contextFlagEntries } from './context-flags.ts';
import { decisionPacketEntries } from './decision-packets.ts';
import { demoEntries } from './demo.ts';
import { fidelityEntries } from './fidelity.ts';
import { fluencyEntries } from './fluency.ts';
import { identityEntries } from './identity.ts';
import { interventionEntries } from './interventions.ts';
import { languageEntries } from './language.ts';
import { liveRunEntries } from './live-runs.ts';
import { liveSessionEntries } from './live-sessions.ts';
import { lmsEntries } from './lms.ts';
import { measurementEntries } from './measurement.ts';
import { nextDataEntries } from './next-data.ts';
import { notificationEntries } from './notifications.ts';
import { operationsEntries } from './operations.ts';
import { parentEntries } from './parents.ts';
import { practiceEntries } from './practice.ts';
import { reportJobEntries } from './report-jobs.ts';
import { reportEntries } from './reports.ts';
import { rewardAuditEntries } from './reward-audit.ts';
import { rewardEntries } from './rewards.ts';
import { rtiEntries } from './rti.ts';
import { rtiDecisionEntries } from './rti-decisions.ts';
import { sessionBlueprintEntries } from './session-blueprints.ts';
import { sessionEntries } from './sessions.ts';
import { skillStatusEntries } from './skill-status.ts';
import { standardEntries } from './standards.ts';
import { teaserEntries } from './teaser.ts';
import { tenancyEntries } from './tenancy.ts';
import { warmupEntries } from './warmup.ts';
import { workbenchEntries } from './workbench.ts';
import { workbenchExplainEntries } from './workbench-explain.ts';
import { workbenchImpactEntries } from './workbench-impact.ts';
import { workbenchReplayEntries } from './workbench-replays.ts';
import { workflowEntries } from './workflow.ts';

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
  if (!entry) throw new Error(`${operation} has no entry in tests/contract/entries/: say how its request is made`);
  return entry;
}

/** Refused by what the operation is about, where permission and reach of the table let the caller in. */
export function refusesByItself(operation: string, caller: Caller): boolean {
  const { expect } = entryOf(operation);
  return typeof expect === 'object' && expect[caller] === 403;
}
