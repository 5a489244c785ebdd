// Scored oral readings as evidence of text fluency, judged by the benchmark that each was started with.
import { scoredOrf } from '../fluency/queries.ts';
import { byStudent } from './by-student.ts';
import { orfEvidence as unitsOf } from './engine/facts.ts';
import type { EvidenceReader } from './reader.ts';

export const orfEvidence: EvidenceReader = async (trx, { organizationId, students }) => {
  const readingsOf = byStudent(await scoredOrf(trx, organizationId, students));
  return (studentId, rules) =>
    readingsOf(studentId).map((reading) => ({ ...unitsOf(reading, rules), provisionalSubSkills: [] }));
};
