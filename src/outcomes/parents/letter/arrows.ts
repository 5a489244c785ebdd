// Arrows of trajectories as line drawings, because no font has them. Time runs from right to left.
import type { Trajectory } from '../engine/enums.ts';

type Point = readonly [x: number, y: number];

/** Lines in a box of 16 by 12 points, origin at the upper left. */
export const arrows: Readonly<Record<Trajectory, readonly (readonly Point[])[]>> = {
  rising: [
    [
      [14, 10],
      [3, 2],
    ],
    [
      [8, 2],
      [3, 2],
      [4.5, 7],
    ],
  ],
  steady: [
    [
      [14, 6],
      [3, 6],
    ],
    [
      [7, 2],
      [3, 6],
      [7, 10],
    ],
  ],
  starting: [
    [
      [14, 3],
      [14, 9],
    ],
    [
      [14, 6],
      [6, 6],
    ],
    [
      [9, 3],
      [6, 6],
      [9, 9],
    ],
  ],
  // Two parallel arrows.
  needs_company: [
    [
      [14, 4],
      [5, 4],
    ],
    [
      [7.5, 1.5],
      [5, 4],
      [7.5, 6.5],
    ],
    [
      [12, 9],
      [3, 9],
    ],
    [
      [5.5, 6.5],
      [3, 9],
      [5.5, 11.5],
    ],
  ],
  more_data_needed: [
    [
      [4, 6],
      [5, 6],
    ],
    [
      [8, 6],
      [9, 6],
    ],
    [
      [12, 6],
      [13, 6],
    ],
  ],
};

export const arrowBox = { width: 16, height: 12 } as const;
