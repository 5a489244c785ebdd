// The forms of each grade, written out, so that a change of the catalogue or of first parts is visible here.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type FormSubSkill, formsOfGrade } from '#assessment/measurement/diagnostics/engine/forms.ts';
import { bundle, values } from '../sessions.ts';

const { subSkills } = bundle.values<{ subSkills: FormSubSkill[] }>('catalogue/subskills');

const expected: Readonly<Record<number, readonly string[]>> = {
  1: [
    'LK_SOUND PA_BLEND DEC_SYLLABLE DEC_WORD LIS_LITERAL VOC_MEANING',
    'PA_RHYME PA_SYLLABLE PA_INITIAL PA_SEGMENT LK_NAME LK_FORM',
    'LK_SHAPE LK_CLOSE_SOUND DEC_FAMILIAR DEC_PSEUDO ACC_SHORT_VOWEL ACC_SUKUN',
    'ACC_MADD ACC_SHADDA ACC_SUN_MOON FLU_WORD LIS_SEQUENCE LIS_INFER',
    'RC_SENTENCE RC_LITERAL SPL_WORD',
  ],
  2: [
    'LK_SOUND DEC_SYLLABLE DEC_WORD LIS_LITERAL VOC_MEANING RC_LITERAL',
    'PA_SYLLABLE PA_INITIAL PA_BLEND PA_SEGMENT LK_FORM LK_SHAPE',
    'LK_CLOSE_SOUND DEC_FAMILIAR DEC_PSEUDO DEC_MULTI ACC_SHORT_VOWEL ACC_SUKUN',
    'ACC_MADD ACC_SHADDA ACC_TANWEEN ACC_SUN_MOON FLU_WORD LIS_SEQUENCE',
    'LIS_INFER VOC_RELATION VOC_CONTEXT MOR_AFFIX RC_SENTENCE RC_INFER',
    'RC_MAIN_IDEA SPL_WORD SPL_TAA',
  ],
  3: [
    'DEC_WORD DEC_MULTI LIS_LITERAL VOC_MEANING RC_LITERAL RC_INFER',
    'PA_SEGMENT LK_SHAPE LK_CLOSE_SOUND DEC_FAMILIAR DEC_PSEUDO DEC_UNVOWELLED',
    'ACC_SHORT_VOWEL ACC_SUKUN ACC_MADD ACC_SHADDA ACC_TANWEEN ACC_SUN_MOON',
    'FLU_WORD LIS_SEQUENCE LIS_INFER VOC_RELATION VOC_CONTEXT MOR_ROOT',
    'MOR_AFFIX RC_MAIN_IDEA RC_STRUCTURE SPL_WORD SPL_TAA SPL_HAMZA',
  ],
  4: [
    'DEC_MULTI DEC_UNVOWELLED LIS_LITERAL VOC_MEANING RC_LITERAL RC_INFER',
    'DEC_PSEUDO ACC_SHORT_VOWEL ACC_MADD ACC_SHADDA ACC_TANWEEN LIS_INFER',
    'VOC_RELATION VOC_CONTEXT MOR_ROOT MOR_AFFIX RC_MAIN_IDEA RC_STRUCTURE',
    'SPL_WORD SPL_TAA SPL_HAMZA',
  ],
};

for (const [grade, parts] of Object.entries(expected)) {
  test(`forms of grade ${grade}: ${parts.length} parts`, () => {
    const forms = formsOfGrade(Number(grade), subSkills, values);
    assert.equal(
      forms.map((form) => form.subSkills.join(' ')),
      parts,
    );
    assert.equal(
      forms.map(({ formCode, partIndex, partCount }) => `${formCode} ${partIndex}/${partCount}`),
      parts.map((_, index) => `DIAG-G${grade}-P${index + 1} ${index + 1}/${parts.length}`),
    );
  });
}

test('forms: every item-measured sub-skill of a grade is in exactly one part, and FLU_TEXT in none', () => {
  for (const grade of [1, 2, 3, 4]) {
    const asked = formsOfGrade(grade, subSkills, values).flatMap((form) => form.subSkills);
    const wanted = subSkills.filter(({ code, grades }) => grades.includes(grade) && code !== 'FLU_TEXT');
    assert.equal([...asked].sort(), wanted.map(({ code }) => code).sort());
  }
});

test('forms: a grade without sub-skills has none', () => {
  assert.equal(formsOfGrade(9, subSkills, values), []);
});

test.run();
