// Which rule documents a simulation can say something about: those whose answers are stored or shown of students.
import { fidelitySimulation } from '../../fidelity/index.ts';
import { supportSimulation } from '../../interventions/index.ts';
import { tierSimulation } from '../../rti/index.ts';
import { isEngineDocument } from '../../skill-status/index.ts';

const rehearsed = [
  isEngineDocument,
  supportSimulation.isSupportDocument,
  fidelitySimulation.isFidelityDocument,
  tierSimulation.isTierDocument,
];

/** `family/key`. */
export const isRehearsed = (name: string): boolean => rehearsed.some((isOne) => isOne(name));
