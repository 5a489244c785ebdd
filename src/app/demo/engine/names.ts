// Random names of the people of the demo from common Arab names. They refer to no real person.
import type { Random } from './random.ts';

/** Names are separated by commas; a name may have two words (عبد الله). */
const listed = (names: string): readonly string[] => names.split(/،\s+/);

const boys = listed(`أحمد، محمد، يوسف، عمر، خالد، سلمان، فهد، عبد الله، عبد الرحمن، إبراهيم، إسماعيل، حمزة، زياد، ياسر،
  طارق، سعود، ماجد، نواف، راشد، تركي، بدر، أنس، معاذ، بلال، كريم، آدم، ريان، سامي، وليد، مازن`);
const girls =
  listed(`فاطمة، مريم، نورة، سارة، ليان، جود، رغد، شهد، لمى، هند، ريم، دانة، عائشة، خديجة، زينب، أسماء، سلمى،
  حنين، ملاك، جنى، تالا، غلا، رهف، وعد، ندى، أروى، بسمة، يارا، لين، ميار`);
const fathers =
  listed(`علي، حسن، صالح، ناصر، سعد، عبد العزيز، سلطان، منصور، مشعل، فيصل، حسين، مصطفى، محمود، جمال، رضا، هشام،
  عادل، نبيل، فؤاد، عصام، مروان، أيمن، باسم، رائد، عماد`);
const mothers = listed(
  `هدى، منى، أمل، سميرة، نوال، عبير، إيمان، وفاء، لطيفة، منيرة، حصة، نجلاء، رنا، سوسن، هالة، دلال`,
);
const families =
  listed(`السالم، الصالح، الناصر، الحسن، النجار، الخطيب، الصباغ، الحداد، العطار، الكاتب، البستاني، القاسم،
  المصري، الحلبي، البغدادي، التونسي، الفاسي، الراشد، الخياط، النحاس، الساعاتي، الوراق، الطحان، الخباز،
  الدهان، الصياد، الحكيم، الكيال، السراج، الفاخوري`);

/** Names that siblings share. */
export interface Family {
  readonly father: string;
  readonly grandfather: string;
  readonly name: string;
}

export function drawFamily(random: Random): Family {
  const father = random.pick(fathers);
  return { father, grandfather: random.pick(fathers.filter((name) => name !== father)), name: random.pick(families) };
}

export const childName = ({ father, name }: Family, random: Random): string =>
  `${random.pick(random.chance(0.5) ? boys : girls)} ${father} ${name}`;

/** The father's name, or the mother's with her own family name. */
export const parentName = ({ father, grandfather, name }: Family, random: Random): string =>
  random.chance(0.5) ? `${father} ${grandfather} ${name}` : adultName(mothers, random);

export const demoStaffName = (random: Random): string => adultName(random.chance(0.5) ? fathers : mothers, random);

const adultName = (firstNames: readonly string[], random: Random): string =>
  `${random.pick(firstNames)} ${random.pick(fathers)} ${random.pick(families)}`;
