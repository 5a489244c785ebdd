// Resolves profiles in the transaction of their runs, so that no run is visible without its profile.
import type { CompletedRun, RunProjection } from '#assessment/skill-status/index.ts';
import { profileRun } from '../engine/profiles/run-of-evaluation.ts';
import { isSameProfile, profileContent, profileDocuments } from '../profiles/rows/row.ts';
import { appendProfiles, newestProfiles } from '../profiles/rows/store.ts';
import { profilesInForce, versionsOf } from '../rules/compiled.ts';
import { lockSupport } from '../support/lock.ts';
import { replayInterventionRuns } from './replay.ts';

/** Appends a row when the profile differs in any shown field from the newest of the school year. */
const project: RunProjection['project'] = async (trx, _services, { organizationId, now, inForce, runs }) => {
  const profiles = profilesInForce(inForce.rules);
  const ruleVersions = versionsOf(inForce.rules, profileDocuments);
  const resolved = runs.map((run) => {
    const content = profileContent(profiles.resolve(run.grade, profileRun(run.evaluation, run.contextReview)));
    return { run, content };
  });
  const ids = runs.map(({ studentId }) => studentId);
  await lockSupport(trx, organizationId, ids);
  const before = await newestProfiles(trx, organizationId, runs.map(studentYear));
  const changed = resolved.filter(({ run, content }) => {
    const newest = before.get(run.studentId);
    return !newest || !isSameProfile(newest, content);
  });
  const rows = changed.map(({ run, content }) => ({
    ...content,
    ...studentYear(run),
    ...{ organizationId, runId: run.runId, resolvedAt: now.toISOString(), ruleVersions, lane: run.lane },
  }));
  await appendProfiles(trx, now, rows);
  return [];
};

export const profilesOfRuns: RunProjection = { documents: profileDocuments, project, replay: replayInterventionRuns };

const studentYear = ({ studentId, schoolYear }: CompletedRun) => ({ studentId, schoolYear: schoolYear.name });
