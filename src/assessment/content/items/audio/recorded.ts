// Adds the recording URLs to the items of a bank. Measurement and replay do not depend on them.
import { type ItemBank, itemBank } from '../engine/bank.ts';
import type { Item } from '../engine/item.ts';
import type { AudioPack } from './pack.ts';

export const withRecordedAudio = ({ version, items }: ItemBank, audio: AudioPack): ItemBank =>
  itemBank({ version, items: items.map((item) => recordedItem(item, audio)) });

const recordedItem = (item: Item, { urlOf }: AudioPack): Item => ({
  ...item,
  prompt: { ...item.prompt, audioUrl: urlOf(item.prompt.speech) },
  options: item.options.map((option) => ({ ...option, audioUrl: urlOf(option.speech) })),
});
