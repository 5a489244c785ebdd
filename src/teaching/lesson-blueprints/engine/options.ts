// Checks that each item has one right option and distinguishable options; diacritics count (contract 30 §2).
import type { NewBlueprint } from '../schemas.ts';

export const optionFaults = ({ items }: NewBlueprint): string[] =>
  items.flatMap(({ options, correctOptionIndex }, at) => {
    const distinct = new Set(options.map((option) => option.normalize('NFC').trim()));
    return correctOptionIndex >= options.length || distinct.size < options.length ? [`items.${at}`] : [];
  });
