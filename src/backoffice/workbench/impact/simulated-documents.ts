// Which rule documents a simulation can say something about: those whose answers are stored or shown of students.

import { changesStatuses } from '#assessment/skill-status/index.ts';
import { notificationSimulation } from '#messaging/notifications/index.ts';
import { rewardSimulation } from '#outcomes/rewards/index.ts';
import { fidelitySimulation } from '#support/fidelity/index.ts';
import { supportSimulation } from '#support/interventions/index.ts';
import { tierSimulation } from '#support/rti/index.ts';

const isRewardDocument = (name: string): boolean => name === rewardSimulation.rewardsDocument;

/** Nothing that is judged of students changes with it, but what they and adults are told of it. */
export const isTold = (name: string): boolean => isRewardDocument(name) || notificationSimulation.isKindDocument(name);

const simulated = [
  isTold,
  changesStatuses,
  supportSimulation.isSupportDocument,
  fidelitySimulation.isFidelityDocument,
  tierSimulation.isTierDocument,
];

/** `family/key`. */
export const isSimulated = (name: string): boolean => simulated.some((isOne) => isOne(name));
