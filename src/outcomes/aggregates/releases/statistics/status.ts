// The two statistics that every school has: bands by tile, and sufficiency of evidence.

import { sufficiencyBands } from '../../enums.ts';
import { aggregateBands } from '../../rules/bands.ts';
import { protectionSettings } from '../../rules/protection.ts';
import type { StatisticKind } from './statistic-kind.ts';

export const tileStatistic: StatisticKind = {
  space: 'tile',
  ofUnmeasured: 'More_Data',
  protection: (rules) => ({ ...protectionSettings(rules), bands: aggregateBands, neverAlone: ['Below', 'Severe'] }),
  count: async (_trx, { classes }) => {
    const codes = new Set(classes.flatMap(({ tiles }) => tiles.map(({ tileCode }) => tileCode)));
    return [...codes].map((subject) => ({
      subject,
      classes: classes.flatMap(({ classId, tiles }) => {
        const tile = tiles.find(({ tileCode }) => tileCode === subject);
        return tile && tile.students > 0 ? [{ classId, counts: tile.counts }] : [];
      }),
    }));
  },
};

export const sufficiencyStatistic: StatisticKind = {
  space: 'sufficiency',
  ofUnmeasured: 'insufficient',
  protection: (rules) => ({ ...protectionSettings(rules), bands: sufficiencyBands, neverAlone: [] }),
  count: async (_trx, { classes }) => [
    { subject: '', classes: classes.map(({ classId, sufficiency }) => ({ classId, counts: sufficiency })) },
  ],
};
