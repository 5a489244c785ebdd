// The key K of the contract's scenarios: grade 2, words that are not read, all else correct.
export const decodingKey = [
  'bundle_id=BND-DECODE-01',
  'anchor_skill_group=DEC_BASIC',
  'scaffold_tier=Level_3',
  'compatible_delivery_mode=teacher_led_small_group',
  'sufficient_data=true',
].join('|');
