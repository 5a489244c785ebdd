// What came of bundles: of each bundle how many children completed it in the season, by goals and by whether it was given as
// planned. Children are counted, not plans, and who completed none is counted too: so the numbers of a class add up to its
// size, which is known. Each bundle that may be given has its cell wherever there is somebody to count, so that whether there
// is one says nothing.
import { completedAssignments } from '#support/fidelity/index.ts';
import { interventionRules, isAssignable } from '#support/interventions/index.ts';
import { countingCatalogue } from '../../catalogue.ts';
import { type EffectBand, effectBand, effectBands, goalsMissed } from '../../effects.ts';
import { protectionSettings } from '../../rules/protection.ts';
import { seasonDates } from '../due.ts';
import { countedIn, type SpaceKind } from './space.ts';

export const effectSpace: SpaceKind = {
  space: 'bundle_effect',
  protection: (rules) => ({ ...protectionSettings(rules), bands: effectBands, neverAlone: goalsMissed }),
  count: async (trx, { organizationId, season, rules, members }) => {
    const studentIds = members.flatMap(({ students }) => students.map(({ studentId }) => studentId));
    const dates = seasonDates(season, countingCatalogue(rules).calendar);
    const plans = await completedAssignments(trx, { organizationId, studentIds, ...dates });
    const bandOf = new Map(plans.map((plan) => [keyOf(plan.bundleId, plan.studentId), effectBand(plan)]));
    const { bundles } = interventionRules(rules).recommendation.catalogue;
    return bundles
      .filter(({ objectType }) => isAssignable(objectType))
      .map(({ bundle_id: subject, grades }) => ({
        subject,
        classes: members
          .filter(({ ofClass }) => grades.includes(ofClass.grade))
          .map((of) =>
            countedIn<EffectBand>(of, effectBands, ({ studentId }) => bandOf.get(keyOf(subject, studentId)) ?? 'none'),
          ),
      }));
  },
};

const keyOf = (bundleId: string, studentId: number): string => `${bundleId} ${studentId}`;
