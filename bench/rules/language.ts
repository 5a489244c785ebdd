// The duration of the language filter: sentences as schools write them, and the worst that a caller may send.
import { filterOf, type Tier } from '../../src/rules/language/index.ts';
import { loadNewestBundle } from '../../src/rules/rulesets/index.ts';
import { assertEqual, type Contender, sideBySide } from '../harness/measure.ts';
import { duration, type Row, type Section } from '../harness/report.ts';

const sentence = 'قرأ الطفل كتابًا جميلًا في البيت مع أسرته، ثم كتب جملة عن الصور التي رآها فيه. ';
const typical = (length: number): string => sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);
const tier: Tier = 'parent_stricter';
const operations = 20;

const texts = [
  { name: '400 characters of sentences', text: typical(400), safe: true, aim: '' },
  { name: '2,000 characters of sentences', text: typical(2_000), safe: true, aim: '≤ 1 ms' },
  { name: '2,000 digits', text: '١'.repeat(2_000), safe: false, aim: '≤ 100 ms' },
  { name: '2,000 characters of letters spelled apart', text: 'ض '.repeat(1_000), safe: true, aim: '≤ 100 ms' },
  { name: '2,000 ligatures of eighteen letters', text: '\ufdfa'.repeat(2_000), safe: true, aim: '≤ 100 ms' },
] as const;

export async function benchLanguage(): Promise<Section> {
  const filter = filterOf(await loadNewestBundle('rules'));
  const contenders: Contender[] = texts.map(({ name, text, safe }) => {
    assertEqual(name, filter.check(text, tier)?.safe, safe);
    const run = () => {
      for (let count = 0; count < operations; count += 1) filter.check(text, tier);
    };
    return { name, operations, run };
  });
  const timings = await sideBySide(contenders);
  const rows: Row[] = texts.map(({ name, aim }) => ({
    contender: name,
    result: duration(timings.get(name) ?? Number.NaN),
    aim,
  }));
  const note =
    'One text before all rules of the shipped family set, for the strictest tier. The outcomes are asserted.';
  return { title: 'Language filter', note, rows };
}
