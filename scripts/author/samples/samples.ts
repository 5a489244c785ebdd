// Documents of every printed kind, from invented facts and the shipped rules.
import path from 'node:path';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { boardSamples } from './board-reports.ts';
import { classSamples } from './class-reports.ts';
import { letterSamples } from './letters.ts';
import { packetSamples } from './packets.ts';
import { paperSamples } from './papers.ts';
import type { Sample } from './sample.ts';

export async function samples(): Promise<readonly Sample[]> {
  const bundle = await loadNewestBundle(path.resolve(import.meta.dirname, '../../../rules'));
  return [
    ...letterSamples(bundle),
    ...classSamples(bundle),
    ...boardSamples(bundle),
    ...packetSamples(bundle),
    ...paperSamples,
  ];
}
