// Bundle outcomes: for each bundle, how many children completed it in the season, by goals and fidelity. Children are
// counted, not assignments, and children who completed none are counted too, so that the counts add up to the known
// class size. Each assignable bundle has a cell in every class with students, so that its presence reveals nothing.
import { completedAssignments } from '#support/fidelity/index.ts';
import { interventionRules, isAssignable } from '#support/interventions/index.ts';
import { type EffectBand, effectBand, effectBands, goalsMissedBands } from '../../bundle-outcomes.ts';
import { countingCatalogue } from '../../catalogue.ts';
import { protectionSettings } from '../../rules/protection.ts';
import { releasedSeasonDates } from '../season-dates.ts';
import { countedIn, type StatisticKind } from './statistic-kind.ts';

export const bundleEffectStatistic: StatisticKind = {
  space: 'bundle_effect',
  protection: (rules) => ({ ...protectionSettings(rules), bands: effectBands, neverAlone: goalsMissedBands }),
  count: async (trx, { organizationId, season, rules, members }) => {
    const studentIds = members.flatMap(({ students }) => students.map(({ studentId }) => studentId));
    const dates = releasedSeasonDates(season, countingCatalogue(rules).calendar);
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
