// Every space of cells that is released.
import type { Space } from '../../enums.ts';
import { effectSpace } from './effect.ts';
import type { SpaceKind } from './space.ts';
import { squareSpace } from './squares.ts';
import { sufficiencySpace, tileSpace } from './status.ts';

export const spaceKinds: readonly SpaceKind[] = [tileSpace, sufficiencySpace, effectSpace, squareSpace];

export function spaceKind(space: Space): SpaceKind {
  const kind = spaceKinds.find((one) => one.space === space);
  if (!kind) throw new RangeError(`nothing is released of ${space}`);
  return kind;
}
