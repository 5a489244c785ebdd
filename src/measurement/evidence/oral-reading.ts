// Scored oral readings as evidence of text fluency, judged by the benchmark that each was started with.
import { scoredOrf } from '../fluency/queries.ts';
import { orfEvidence as unitsOf } from './engine/facts.ts';
import type { EvidenceReader } from './reader.ts';
import { endedIn, joinedWindows } from './windows.ts';

export const orfEvidence: EvidenceReader = async (trx, { organizationId, students }) => {
  const readingsIn = endedIn(await scoredOrf(trx, organizationId, joinedWindows(students)));
  return (window, rules) =>
    readingsIn(window).map((reading) => ({ ...unitsOf(reading, rules), provisionalSubSkills: [] }));
};
