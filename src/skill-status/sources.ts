// Everything that the engine is fed with. A new source of evidence is one more line here.
import { diagnosticEvidence } from './diagnostic-evidence.ts';
import type { ContextReviewReader, EvidenceReader } from './evidence-reader.ts';
import { orfEvidence } from './orf-evidence.ts';
import { practiceEvidence } from './practice-evidence.ts';

export const evidenceReaders: readonly EvidenceReader[] = [diagnosticEvidence, practiceEvidence, orfEvidence];

export const contextReviewReaders: readonly ContextReviewReader[] = [];
