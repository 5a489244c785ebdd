// Everything that the engine is fed with. A new source of evidence is one more line here.
import { flaggedForReview } from '../../context-flags/index.ts';
import { diagnosticEvidence } from './diagnostics.ts';
import { orfEvidence } from './oral-reading.ts';
import { practiceEvidence } from './practice.ts';
import type { ContextReviewReader, EvidenceReader } from './reader.ts';

export const evidenceReaders: readonly EvidenceReader[] = [diagnosticEvidence, practiceEvidence, orfEvidence];

export const contextReviewReaders: readonly ContextReviewReader[] = [flaggedForReview];
