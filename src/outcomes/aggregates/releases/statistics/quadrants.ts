// Quadrants of support (contract 51 §4.6) of whole schools. Students who were not measured in the season or get no
// support are in no quadrant.
import { type QuadrantName, quadrantNames, supportQuadrants } from '#support/rti/index.ts';
import { noBand } from '../../enums.ts';
import { protectionSettings } from '../../rules/protection.ts';
import { countedIn, type StatisticKind } from './statistic-kind.ts';

type QuadrantBand = QuadrantName | typeof noBand;

const bands: readonly QuadrantBand[] = [...quadrantNames, noBand];

export const quadrantStatistic: StatisticKind = {
  space: 'square',
  ofUnmeasured: noBand,
  protection: (rules) => ({
    ...protectionSettings(rules),
    bands,
    neverAlone: quadrantNames.filter((name) => name.endsWith('_below')),
  }),
  count: async (trx, { services, organizationId, season: { season }, now, members }) => {
    const measured = members.flatMap(({ students }) => students.filter((one) => one.measured.has(season)));
    const studentIds = measured.map(({ studentId }) => studentId);
    const squares = await supportQuadrants(trx, services, { organizationId, studentIds, now });
    const classes = members.map((of) =>
      countedIn<QuadrantBand>(of, bands, ({ studentId }) => squares.get(studentId) ?? noBand),
    );
    return [{ subject: '', classes }];
  },
};
