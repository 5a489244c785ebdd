// What other capabilities may use of content: item banks, passages, teaser items, recordings.

export { contentCapability } from './capability.ts';
export * from './engine/index.ts';
export { type AudioPack, readAudioPack } from './items/audio/pack.ts';
export { type ItemBanks, itemBanks, rulesDir } from './items/banks.ts';
export { namedPassage, type Passages, passageBooks } from './passages/files.ts';
export { teaserContent } from './teaser/files.ts';
