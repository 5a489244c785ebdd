// A simulated child who answers items: correct by the Rasch model, wrong by the child's typical errors.
import type { Item, ItemOption } from '#assessment/content/engine/index.ts';
import { profileAt, type ReaderProfile } from './profiles.ts';
import { type Random, randomStream } from './random.ts';

export interface DemoChild {
  /** Name of the child's random streams. */
  readonly key: string;
  readonly profile: ReaderProfile;
}

export const childNamed = (key: string): DemoChild => ({ key, profile: profileAt(randomStream(key).next()) });

export interface ChildAnswer {
  /** Null means skipped. */
  readonly selectedOptionIndex: number | null;
  readonly latencyMs: number;
  readonly optionChanges: number;
}

/** Returns the child's answers in one sitting. `practised` is the number of earlier sittings of the part. */
export function sitting(
  child: DemoChild,
  name: string,
  practised: number,
): (item: Item, domain: string) => ChildAnswer {
  const random = randomStream(`${child.key}/${name}`);
  const { profile } = child;
  return (item, domain) => {
    if (random.chance(profile.skips)) return { ...unchanged, selectedOptionIndex: null, latencyMs: readingMs };
    if (random.chance(profile.guesses)) return guess(item, random);
    const theta = abilityLogit(child, item.subSkillCode, domain) + practised * profile.growthLogit;
    return {
      selectedOptionIndex: random.chance(rasch(theta, item.difficulty))
        ? item.correctIndex
        : wrongOption(item, profile.leans, random).index,
      latencyMs: thinkingMs(item, profile, random),
      optionChanges: random.chance(0.05) ? 1 : 0,
    };
  };
}

const unchanged = { optionChanges: 0 } as const;
/** Time until an item is skipped. */
const readingMs = 4_000;

const rasch = (theta: number, difficulty: number): number => 1 / (1 + Math.exp(difficulty - theta));

/** Sub-skills of a child vary around the profile with a standard deviation of half a logit. */
function abilityLogit({ key, profile }: DemoChild, subSkillCode: string, domain: string): number {
  const own = 0.5 * randomStream(`${key}/${subSkillCode}`).normal();
  return profile.abilityLogit + (profile.domainLogit[domain] ?? 0) + own;
}

function guess(item: Item, random: Random): ChildAnswer {
  const { index } = random.pick(item.options);
  return { ...unchanged, selectedOptionIndex: index, latencyMs: Math.round(250 + 400 * random.next()) };
}

/** Log-normal around the profile's pace. */
const thinkingMs = ({ expectedSeconds }: Item, { pace }: ReaderProfile, random: Random): number =>
  Math.round(1000 * expectedSeconds * pace * Math.exp(0.3 * random.normal()));

/** Options of a pattern that the child leans to weigh four, of any other pattern two, all others one. */
function wrongOption(item: Item, leans: readonly string[], random: Random): ItemOption {
  const wrong = item.options.filter(({ index }) => index !== item.correctIndex);
  return random.pick(wrong.flatMap((option) => Array<ItemOption>(weight(option, leans)).fill(option)));
}

function weight({ microPattern }: ItemOption, leans: readonly string[]): number {
  if (microPattern === null) return 1;
  return leans.includes(microPattern) ? 4 : 2;
}
