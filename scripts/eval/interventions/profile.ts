// Cases of profiles: from a run to the profile with its rules and its anchor.

import type { HaltAction } from '#assessment/skill-status/index.ts';
import type { ProfileRun, RunSubSkill } from '#support/interventions/engine/profiles/run.ts';
import type { Engines } from './engines.ts';

type GivenSubSkill = Omit<RunSubSkill, 'nextRecommendedDataAction'>;

interface Input {
  readonly grade: number;
  readonly run:
    | (Omit<ProfileRun, 'subSkills'> & { readonly subSkills: Readonly<Record<string, GivenSubSkill>> })
    | null;
}

export function profileCase({ grade, run }: Input, engines: Engines) {
  const { facts, modifierFacts, ...profile } = engines.profiles.resolve(grade, run && withActions(run, engines));
  if (facts === null) return { facts, ...profile };
  const { bottleneckRole: _notShown, ...shown } = facts;
  return { facts: shown, modifierFacts, ...profile };
}

/** Adds the actions that end halts, which a stored run contains; here they follow from the PAC rule of the reason. */
function withActions(run: NonNullable<Input['run']>, { bundle, profiles }: Engines): ProfileRun {
  const byReason = new Map(
    bundle.table('pac/pac').document.rules.map(({ event: { params } }) => [params.reason, params.action] as const),
  );
  const actionOf = (code: string, { outcome, reason }: GivenSubSkill): HaltAction | null => {
    if (outcome !== 'do_not_decide_yet') return null;
    if (profiles.catalogue.byCode.get(code)?.measuredByOrf) return 'administer_orf';
    return (byReason.get(reason) as HaltAction | undefined) ?? null;
  };
  const subSkills = Object.entries(run.subSkills).map(([code, given]) => [
    code,
    { ...given, nextRecommendedDataAction: actionOf(code, given) },
  ]);
  return { ...run, subSkills: Object.fromEntries(subSkills) };
}
