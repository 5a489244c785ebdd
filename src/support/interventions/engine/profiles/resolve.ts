// Resolves the profile of a student: one rule of PRF, the modifiers of PMD, and the anchor.

import type { NextDataAction } from '#assessment/skill-status/engine/index.ts';
import { type Catalogue, compileCatalogue, compileRoles, type Roles } from '#rules/catalogue/engine/index.ts';
import { allHits, firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts } from '../typed-facts.ts';
import {
  type AnchorKind,
  anchorKinds,
  haltOutcomes,
  type ProfileCode,
  type ProfileModifier,
  type ProfileOutcome,
  profileCodes,
  profileModifiers,
  roleCodes,
} from '../vocabulary.ts';
import { anchorOf, noAnchor, type ProfileAnchor } from './anchor.ts';
import { type ModifierFacts, modifierFacts, type ProfileFacts, profileContext, profileFacts } from './facts.ts';
import { firstAction, nextAction } from './next-action.ts';
import type { ProfileRun } from './run.ts';

export interface EngineProfile extends ProfileAnchor {
  /** Null without a run. */
  readonly facts: ProfileFacts | null;
  readonly modifierFacts: ModifierFacts | null;
  readonly ruleId: string | null;
  readonly outcome: ProfileOutcome;
  readonly profileCode: ProfileCode;
  readonly modifierRuleIds: readonly string[];
  /** Sorted by code. */
  readonly modifiers: readonly ProfileModifier[];
  /** Null for an educational profile. */
  readonly nextRecommendedDataAction: NextDataAction | null;
}

export interface ProfileRules {
  readonly catalogue: Catalogue;
  readonly roles: Roles;
  /** `run` is null for a student without a run in the current school year. */
  resolve(grade: number, run: ProfileRun | null): EngineProfile;
}

export const resolutionFacts = listedFacts({
  dndy: 'flag',
  requiredMissing: 'flag',
  requiredContext: 'flag',
  compWeak: 'flag',
  pattern: 'word',
  bottleneckRole: 'word',
  indicatorOnly: 'flag',
  broadCount: 'number',
  strongCount: 'number',
  strongPHON: 'flag',
  strongLETTER: 'flag',
  strongDECODE: 'flag',
  strongFLUENCY: 'flag',
  strongLANGUAGE: 'flag',
  strongCOMP: 'flag',
  strongENCODE: 'flag',
  anyWeakIsolated: 'flag',
  anyCaution: 'flag',
  anyWatch: 'flag',
});

interface Resolution {
  readonly ruleId: string;
  readonly profileCode: ProfileCode;
  readonly anchor: AnchorKind;
  readonly haltOutcome: (typeof haltOutcomes)[number] | undefined;
}

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compileProfiles(bundle: RuleBundle): ProfileRules {
  const catalogue = compileCatalogue(bundle);
  const roles = compileRoles(bundle, catalogue);
  refuseOtherRoles(roles);
  const resolutionOf = firstHit(
    bundle.table('profile/resolution'),
    resolutionFacts,
    (answer): Resolution => ({
      ruleId: answer.ruleId,
      profileCode: answer.word('outcome', profileCodes),
      anchor: answer.word('anchor', anchorKinds),
      haltOutcome: answer.wordIfAny('haltOutcome', haltOutcomes),
    }),
  );
  const modifiersOf = allHits(bundle.table('profile/modifiers'), (answer) => ({
    ruleId: answer.ruleId,
    modifier: answer.word('outcome', profileModifiers),
  }));
  return {
    catalogue,
    roles,
    resolve(grade, run) {
      if (run === null) return neverMeasured;
      const context = profileContext(grade, run, catalogue, roles);
      const facts = profileFacts(context);
      const { ruleId, profileCode, anchor, haltOutcome } = resolutionOf(facts);
      const added = modifierFacts(context, profileCode, facts);
      const hits = modifiersOf(added);
      return {
        facts,
        modifierFacts: added,
        ruleId,
        outcome: haltOutcome ?? 'resolved',
        profileCode,
        modifierRuleIds: hits.map((hit) => hit.ruleId),
        modifiers: [...new Set(hits.map(({ modifier }) => modifier))].sort(),
        ...anchorOf(anchor, context),
        nextRecommendedDataAction: haltOutcome ? nextAction(context, facts) : null,
      };
    },
  };
}

export const neverMeasured: EngineProfile = {
  facts: null,
  modifierFacts: null,
  ruleId: null,
  outcome: 'DATA_INCOMPLETE',
  profileCode: 'DATA_INCOMPLETE',
  modifierRuleIds: [],
  modifiers: [],
  ...noAnchor,
  nextRecommendedDataAction: firstAction,
};

/** PRF asks for each role by its name, so the roles must be the known ones. */
function refuseOtherRoles({ roles }: Roles): void {
  const found = roles.map(({ code }) => code);
  const isSame = found.length === roleCodes.length && roleCodes.every((code) => found.includes(code));
  if (!isSame) throw new RangeError(`profile/settings: the roles are not ${roleCodes.join(', ')}`);
}
