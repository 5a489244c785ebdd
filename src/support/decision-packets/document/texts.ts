// Texts of a printed packet for the proof of texts.
import type { TextSource, Tier } from '#rules/language/index.ts';
import {
  decisionWords,
  evidenceWords,
  goalWords,
  packetLabels,
  probeWords,
  sessionRoleWords,
  statusWords,
  sufficiencyWords,
  valueWords,
} from './arabic-labels.ts';
import { ruleSentences } from './rule-sentences.ts';

const staff: readonly Tier[] = ['ui', 'reports', 'teacher_note'];

const lists = {
  ...{ labels: packetLabels, statusWords, decisionWords, sufficiencyWords, evidenceWords, valueWords },
  ...{ goalWords, probeWords, sessionRoleWords, ruleSentences },
};

export const packetTexts: TextSource = () =>
  Object.entries(lists).flatMap(([list, words]) =>
    Object.entries(words).map(([word, template]) => ({
      id: `decision-packets/${list}/${word}`,
      tiers: staff,
      template,
    })),
  );
