// What came of support, beside whether it was given (contract 51 §4.6): the squares of the boards, of whole schools. Who was
// not measured in the season is in none, as who is not supported.
import { type QuadrantName, quadrantNames, supportQuadrants } from '#support/rti/index.ts';
import { noBand } from '../../enums.ts';
import { protectionSettings } from '../../rules/protection.ts';
import { countedIn, type SpaceKind } from './space.ts';

type SquareBand = QuadrantName | typeof noBand;

const bands: readonly SquareBand[] = [...quadrantNames, noBand];

export const squareSpace: SpaceKind = {
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
      countedIn<SquareBand>(of, bands, ({ studentId }) => squares.get(studentId) ?? noBand),
    );
    return [{ subject: '', classes }];
  },
};
