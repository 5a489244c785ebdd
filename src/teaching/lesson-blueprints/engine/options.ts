// Whether each item has one right option, and options that a reader can tell apart: marks count (contract 30 §2).
import type { NewBlueprint } from '../schemas.ts';

export const optionFaults = ({ items }: NewBlueprint): string[] =>
  items.flatMap(({ options, correctOptionIndex }, at) => {
    const read = new Set(options.map((option) => option.normalize('NFC').trim()));
    return correctOptionIndex >= options.length || read.size < options.length ? [`items.${at}`] : [];
  });
