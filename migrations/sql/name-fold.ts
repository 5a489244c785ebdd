// The database function that folds a name as the language filter folds a text (contract 60 §3), so that a name can be
// compared and searched in statements. The tables are those of Unicode 17; a test compares the function with the filter's.

/** Marks, direction and shaping controls, tatweel and filler letters, which are dropped: code points and ranges. */
const dropped = `
  00ad 0300-036f 0483-0489 0591-05bd 05bf 05c1-05c2 05c4-05c5 05c7 0600-0605 0610-061a 061c 0640 064b-065f 0670
  0674 06d6-06dd 06df-06e4 06e7-06e8 06ea-06ed 070f 0711 0730-074a 07a6-07b0 07eb-07f3 07fd 0816-0819 081b-0823
  0825-0827 0829-082d 0859-085b 0890-0891 0897-089f 08ca-0902 093a 093c 0941-0948 094d 0951-0957 0962-0963 0981
  09bc 09c1-09c4 09cd 09e2-09e3 09fe 0a01-0a02 0a3c 0a41-0a42 0a47-0a48 0a4b-0a4d 0a51 0a70-0a71 0a75 0a81-0a82
  0abc 0ac1-0ac5 0ac7-0ac8 0acd 0ae2-0ae3 0afa-0aff 0b01 0b3c 0b3f 0b41-0b44 0b4d 0b55-0b56 0b62-0b63 0b82 0bc0
  0bcd 0c00 0c04 0c3c 0c3e-0c40 0c46-0c48 0c4a-0c4d 0c55-0c56 0c62-0c63 0c81 0cbc 0cbf 0cc6 0ccc-0ccd 0ce2-0ce3
  0d00-0d01 0d3b-0d3c 0d41-0d44 0d4d 0d62-0d63 0d81 0dca 0dd2-0dd4 0dd6 0e31 0e34-0e3a 0e47-0e4e 0eb1 0eb4-0ebc
  0ec8-0ece 0f18-0f19 0f35 0f37 0f39 0f71-0f7e 0f80-0f84 0f86-0f87 0f8d-0f97 0f99-0fbc 0fc6 102d-1030 1032-1037
  1039-103a 103d-103e 1058-1059 105e-1060 1071-1074 1082 1085-1086 108d 109d 115f-1160 135d-135f 1712-1714
  1732-1733 1752-1753 1772-1773 17b4-17b5 17b7-17bd 17c6 17c9-17d3 17dd 180b-180f 1885-1886 18a9 1920-1922
  1927-1928 1932 1939-193b 1a17-1a18 1a1b 1a56 1a58-1a5e 1a60 1a62 1a65-1a6c 1a73-1a7c 1a7f 1ab0-1add 1ae0-1aeb
  1b00-1b03 1b34 1b36-1b3a 1b3c 1b42 1b6b-1b73 1b80-1b81 1ba2-1ba5 1ba8-1ba9 1bab-1bad 1be6 1be8-1be9 1bed
  1bef-1bf1 1c2c-1c33 1c36-1c37 1cd0-1cd2 1cd4-1ce0 1ce2-1ce8 1ced 1cf4 1cf8-1cf9 1dc0-1dff 200b-200f 202a-202e
  2060-2064 2066-206f 20d0-20f0 2cef-2cf1 2d7f 2de0-2dff 302a-302d 3099-309a 3164 a66f-a672 a674-a67d a69e-a69f
  a6f0-a6f1 a802 a806 a80b a825-a826 a82c a8c4-a8c5 a8e0-a8f1 a8ff a926-a92d a947-a951 a980-a982 a9b3 a9b6-a9b9
  a9bc-a9bd a9e5 aa29-aa2e aa31-aa32 aa35-aa36 aa43 aa4c aa7c aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aaec-aaed
  aaf6 abe5 abe8 abed fb1e fe00-fe0f fe20-fe2f feff ffa0 fff9-fffb 101fd 102e0 10376-1037a 10a01-10a03 10a05-10a06
  10a0c-10a0f 10a38-10a3a 10a3f 10ae5-10ae6 10d24-10d27 10d69-10d6d 10eab-10eac 10efa-10eff 10f46-10f50
  10f82-10f85 11001 11038-11046 11070 11073-11074 1107f-11081 110b3-110b6 110b9-110ba 110bd 110c2 110cd
  11100-11102 11127-1112b 1112d-11134 11173 11180-11181 111b6-111be 111c9-111cc 111cf 1122f-11231 11234
  11236-11237 1123e 11241 112df 112e3-112ea 11300-11301 1133b-1133c 11340 11366-1136c 11370-11374 113bb-113c0
  113ce 113d0 113d2 113e1-113e2 11438-1143f 11442-11444 11446 1145e 114b3-114b8 114ba 114bf-114c0 114c2-114c3
  115b2-115b5 115bc-115bd 115bf-115c0 115dc-115dd 11633-1163a 1163d 1163f-11640 116ab 116ad 116b0-116b5 116b7
  1171d 1171f 11722-11725 11727-1172b 1182f-11837 11839-1183a 1193b-1193c 1193e 11943 119d4-119d7 119da-119db
  119e0 11a01-11a0a 11a33-11a38 11a3b-11a3e 11a47 11a51-11a56 11a59-11a5b 11a8a-11a96 11a98-11a99 11b60
  11b62-11b64 11b66 11c30-11c36 11c38-11c3d 11c3f 11c92-11ca7 11caa-11cb0 11cb2-11cb3 11cb5-11cb6 11d31-11d36
  11d3a 11d3c-11d3d 11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11ef3-11ef4 11f00-11f01 11f36-11f3a 11f40 11f42
  11f5a 13430-13440 13447-13455 1611e-16129 1612d-1612f 16af0-16af4 16b30-16b36 16f4f 16f8f-16f92 16fe4
  1bc9d-1bc9e 1bca0-1bca3 1cf00-1cf2d 1cf30-1cf46 1d167-1d169 1d173-1d182 1d185-1d18b 1d1aa-1d1ad 1d242-1d244
  1da00-1da36 1da3b-1da6c 1da75 1da84 1da9b-1da9f 1daa1-1daaf 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024
  1e026-1e02a 1e08f 1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5
  1e8d0-1e8d6 1e944-1e94a e0001 e0020-e007f e0100-e01ef`;

/** The zeros of the scripts that have digits of their own. Nine digits follow each. */
const zeros = `
  0660 06f0 07c0 0966 09e6 0a66 0ae6 0b66 0be6 0c66 0ce6 0d66 0de6 0e50 0ed0 0f20 1040 1090 17e0 1810 1946 19d0
  1a80 1a90 1b50 1bb0 1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 abf0 104a0 10d30 10d40 11066 110f0 11136 111d0 112f0
  11450 114d0 11650 116c0 116d0 116da 11730 118e0 11950 11bf0 11c50 11d50 11da0 11de0 11f50 16130 16a60 16ac0 16b50
  16d70 1e140 1e2f0 1e4f0 1e5f1 1e950`;

/** Small letters: a code point and its small letter, or a range (`/2`: every second code point) and the first's. */
const smallLetters = `
  0041-005a=0061 00c6=00e6 00d0=00f0 00d8=00f8 00de=00fe 0110=0111 0126=0127 0141=0142 014a=014b 0152=0153
  0166=0167 0181=0253 0182-0184/2=0183 0186=0254 0187=0188 0189-018a=0256 018b=018c 018e=01dd 018f=0259 0190=025b
  0191=0192 0193=0260 0194=0263 0196=0269 0197=0268 0198=0199 019c=026f 019d=0272 019f=0275 01a2-01a4/2=01a3
  01a6=0280 01a7=01a8 01a9=0283 01ac=01ad 01ae=0288 01b1-01b2=028a 01b3-01b5/2=01b4 01b7=0292 01b8=01b9 01bc=01bd
  01e4=01e5 01f6=0195 01f7=01bf 021c=021d 0220=019e 0222-0224/2=0223 023a=2c65 023b=023c 023d=019a 023e=2c66
  0241=0242 0243=0180 0244=0289 0245=028c 0246-024e/2=0247 0370-0372/2=0371 0376=0377 037f=03f3 0391-03a1=03b1
  03a3-03a9=03c3 03cf=03d7 03d8-03ee/2=03d9 03f7=03f8 03fa=03fb 03fd-03ff=037b 0402-0404/2=0452 0405-0406=0455
  0408-040b=0458 040f=045f 0410-0418=0430 041a-042f=043a 0460-0474/2=0461 0478-0480/2=0479 048a-04be/2=048b
  04c0=04cf 04c3-04cd/2=04c4 04d4=04d5 04d8=04d9 04e0=04e1 04e8=04e9 04f6=04f7 04fa-052e/2=04fb 0531-0556=0561
  10a0-10c5=2d00 10c7=2d27 10cd=2d2d 13a0-13ef=ab70 13f0-13f5=13f8 1c89=1c8a 1c90-1cba=10d0 1cbd-1cbf=10fd
  1e9e=00df 1efa-1efe/2=1efb 2132=214e 2183=2184 2c00-2c2f=2c30 2c60=2c61 2c62=026b 2c63=1d7d 2c64=027d
  2c67-2c6b/2=2c68 2c6d=0251 2c6e=0271 2c6f=0250 2c70=0252 2c72=2c73 2c75=2c76 2c7e-2c7f=023f 2c80-2ce2/2=2c81
  2ceb-2ced/2=2cec 2cf2=2cf3 a640-a66c/2=a641 a680-a69a/2=a681 a722-a72e/2=a723 a732-a76e/2=a733 a779-a77b/2=a77a
  a77d=1d79 a77e-a786/2=a77f a78b=a78c a78d=0265 a790-a792/2=a791 a796-a7a8/2=a797 a7aa=0266 a7ab=025c a7ac=0261
  a7ad=026c a7ae=026a a7b0=029e a7b1=0287 a7b2=029d a7b3=ab53 a7b4-a7c2/2=a7b5 a7c4=a794 a7c5=0282 a7c6=1d8e
  a7c7-a7c9/2=a7c8 a7cb=0264 a7cc-a7da/2=a7cd a7dc=019b a7f5=a7f6 10400-10427=10428 104b0-104d3=104d8
  10570-1057a=10597 1057c-1058a=105a3 1058c-10592=105b3 10594-10595=105bb 10c80-10cb2=10cc0 10d50-10d65=10d70
  118a0-118bf=118c0 16e40-16e5f=16e60 16ea0-16eb8=16ebb 1e900-1e921=1e922`;

/** Variants of Arabic letters: the folded letter, then the others. Those with a mark were decomposed before. */
const arabic = 'اٱٲٳ يىیېے هةھہۃە كکڪگ فڡ قٯ بٮ نں';

type Pair = readonly [from: number, to: number];

const listed = (text: string): readonly string[] => text.trim().split(/\s+/);
const codeOf = (hex: string): number => Number.parseInt(hex, 16);
const isArabicDigit = (code: number): boolean => code === 0x660 || code === 0x6f0;

const digitsFrom = (zero: number): readonly Pair[] =>
  Array.from({ length: 10 }, (_, value): Pair => [zero + value, 0x30 + value]);

function smallPairs(entry: string): readonly Pair[] {
  const [, from = '', to = from, step = '1', small = ''] = /^(\w+)(?:-(\w+))?(?:\/(2))?=(\w+)$/.exec(entry) ?? [];
  const count = (codeOf(to) - codeOf(from)) / Number(step) + 1;
  return Array.from(
    { length: count },
    (_, at): Pair => [codeOf(from) + at * Number(step), codeOf(small) + at * Number(step)],
  );
}

const arabicPairs = (group: string): readonly Pair[] => {
  const [folded = '', ...others] = group;
  return others.map((letter): Pair => [letter.codePointAt(0) ?? 0, folded.codePointAt(0) ?? 0]);
};

/** A character of a regular expression or of an E'' string of PostgreSQL, in ASCII. */
const escaped = (code: number): string =>
  code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;

const translated = (text: string, pairs: readonly Pair[]): string => {
  const side = (at: 0 | 1) => `E'${pairs.map((pair) => escaped(pair[at])).join('')}'`;
  return `translate(${text}, ${side(0)}, ${side(1)})`;
};

const zeroCodes = listed(zeros).map(codeOf);
const latinCapitals = smallPairs('0041-005a=0061');
const usual = [
  ...latinCapitals,
  ...zeroCodes.filter(isArabicDigit).flatMap(digitsFrom),
  ...listed(arabic).flatMap(arabicPairs),
];
const unusual = [
  ...listed(smallLetters)
    .flatMap(smallPairs)
    .filter(([from]) => from > 0x7f),
  ...zeroCodes.filter((code) => !isArabicDigit(code)).flatMap(digitsFrom),
];
const droppedClass = listed(dropped)
  .map((range) => range.split('-').map(codeOf).map(escaped).join('-'))
  .join('');

/** Folded names and search keys have at most these many characters: a letter may unfold to eighteen. */
const maxFolded = 200;
const maxKey = 100;

/** Controls and blanks that NFKD does not turn into U+0020. */
const blanks = '[\\u0001-\\u0020\\u007f-\\u009f\\u1680\\u2028\\u2029]+';
/** What separates words: blanks, and punctuation of names and addresses. */
const separators =
  '[\\u0020-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u2010-\\u205e]+';

/**
 * `fold_name` returns the folded name, cut to 200 characters. `search_words` returns the words of its fold, and
 * `search_keys` for each word the rest of the text from it on, without separators, cut to 100 characters.
 */
export const nameFunctions = `
  create function fold_name(name text) returns text language plpgsql immutable strict parallel safe as $$
  declare
    folded text := ${translated(`regexp_replace(normalize(name, NFKD), '[${droppedClass}]', '', 'g')`, usual)};
  begin
    if folded ~ '[^\\u0001-\\u007f\\u0600-\\u06ff]' then
      folded := ${translated('folded', unusual)};
    end if;
    return rtrim(left(btrim(regexp_replace(folded, '${blanks}', ' ', 'g')), ${maxFolded}));
  end $$;

  create function search_words(name text) returns text[] language plpgsql immutable strict parallel safe as $$
  begin
    return array_remove(regexp_split_to_array(fold_name(name), '${separators}'), '');
  end $$;

  create function search_keys(name text) returns setof text language plpgsql immutable strict parallel safe as $$
  declare
    words text[] := search_words(name);
    rest text := '';
  begin
    for n in reverse cardinality(words)..1 loop
      rest := words[n] || rest;
      return next left(rest, ${maxKey});
    end loop;
  end $$;
`;

/** The triggers of `app_user`: its folded name, and its search keys, which are replaced when name or address change. */
export const nameTriggers = `
  create function fold_user_name() returns trigger language plpgsql as $$
  begin
    new.name_folded := fold_name(coalesce(new.full_name_ar, ''));
    return new;
  end $$;

  create function index_user() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      delete from user_search_key k where k.organization_id = old.organization_id and k.user_id = old.id;
    end if;
    if tg_op = 'DELETE' then
      return null;
    end if;
    insert into user_search_key (organization_id, user_id, key)
      select new.organization_id, new.id, key from search_keys(coalesce(new.full_name_ar, '')) key
      union select new.organization_id, new.id, key from search_keys(coalesce(new.email, '')) key;
    return null;
  end $$;
`;
