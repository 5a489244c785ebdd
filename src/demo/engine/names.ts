// Names of the people of the demo: common ones from all over the Arab world, put together at random. Nobody is meant.
import type { Random } from './random.ts';

const boys =
  `أحمد محمد يوسف عمر خالد سلمان فهد عبدالله عبدالرحمن إبراهيم إسماعيل حمزة زياد ياسر طارق سعود ماجد نواف راشد
  تركي بدر أنس معاذ بلال كريم آدم ريان سامي وليد مازن`.split(/\s+/);
const girls = `فاطمة مريم نورة سارة ليان جود رغد شهد لمى هند ريم دانة عائشة خديجة زينب أسماء سلمى حنين ملاك جنى تالا غلا
  رهف وعد ندى أروى بسمة يارا لين ميار`.split(/\s+/);
const fathers = `علي حسن صالح ناصر سعد عبدالعزيز سلطان منصور مشعل فيصل حسين مصطفى محمود جمال رضا هشام عادل نبيل فؤاد
  عصام مروان أيمن باسم رائد عماد`.split(/\s+/);
const mothers = 'هدى منى أمل سميرة نوال عبير إيمان وفاء لطيفة منيرة حصة نجلاء رنا سوسن هالة دلال'.split(' ');
const families = `القحطاني العتيبي الحربي الغامدي الزهراني الشمري الدوسري المطيري الشهري العمري الحارثي السبيعي المالكي
  البلوي الأنصاري الخطيب النجار الحداد المصري الحلبي البغدادي التونسي الفاسي العبادي الصباغ الكعبي الهاشمي
  المنصوري السالم الراشد`.split(/\s+/);

/** What brothers and sisters share. */
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

/** The father, or the mother, who keeps the name of her own family. */
export const parentName = ({ father, grandfather, name }: Family, random: Random): string =>
  random.chance(0.5) ? `${father} ${grandfather} ${name}` : adultName(mothers, random);

export const staffName = (random: Random): string => adultName(random.chance(0.5) ? fathers : mothers, random);

const adultName = (firstNames: readonly string[], random: Random): string =>
  `${random.pick(firstNames)} ${random.pick(fathers)} ${random.pick(families)}`;
