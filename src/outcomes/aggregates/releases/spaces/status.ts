// The two spaces that every school has: each tile with its bands, and how much there is to judge by.

import { sufficiencyBands } from '../../enums.ts';
import { aggregateBands } from '../../rules/bands.ts';
import { protectionSettings } from '../../rules/protection.ts';
import type { SpaceKind } from './space.ts';

export const tileSpace: SpaceKind = {
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

export const sufficiencySpace: SpaceKind = {
  space: 'sufficiency',
  ofUnmeasured: 'insufficient',
  protection: (rules) => ({ ...protectionSettings(rules), bands: sufficiencyBands, neverAlone: [] }),
  count: async (_trx, { classes }) => [
    { subject: '', classes: classes.map(({ classId, sufficiency }) => ({ classId, counts: sufficiency })) },
  ],
};
