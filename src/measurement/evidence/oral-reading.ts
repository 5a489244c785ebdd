// Scored oral readings as evidence of text fluency, judged by the benchmark that each was started with.
import { scoredOrf } from '../fluency/queries.ts';
import { orfEvidence as unitsOf } from './engine/facts.ts';
import type { EvidenceReader } from './reader.ts';

export const orfEvidence: EvidenceReader = async (trx, { organizationId, students, rules }) => {
  const readings = await scoredOrf(trx, organizationId, students);
  return readings.map(({ studentId, ...assessment }) => ({
    studentId,
    ...unitsOf(assessment, rules),
    provisionalSubSkills: [],
  }));
};
