// Expected texts come from RFC 8785 (sections 3.2.2 and 3.2.3, appendix B).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalHash, canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';

test('RFC 8785 3.2.2: the sample document', () => {
  const document: unknown = JSON.parse(`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`);
  const expected =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';
  assert.is(canonicalJson(document), expected);
});

test('RFC 8785 3.2.3: names are sorted by UTF-16 code units', () => {
  const document = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  const expected =
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
    '"€":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}';
  assert.is(canonicalJson(document), expected);
});

/** Appendix B: the IEEE 754 bits of a double, and its text. */
const appendixB: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

for (const [bits, text] of appendixB) {
  test(`RFC 8785 appendix B: ${bits} is ${text}`, () => {
    assert.is(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE(0)), text);
  });
}

/** The same function without its cache of keys. */
const sorted = (value: unknown): unknown =>
  value === null || typeof value !== 'object'
    ? value
    : Array.isArray(value)
      ? value.map(sorted)
      : Object.fromEntries(
          Object.entries(value)
            .map(([key, member]) => [key, sorted(member)] as const)
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        );

test('objects of more shapes than are cached, in every order of keys, twice', () => {
  const keys = ['b', 'a', 'é', 'B', 'z y', '"', 'aa'];
  const objects = Array.from({ length: 4_000 }, (_, at) => {
    const turned = [...keys.slice(at % 7), ...keys.slice(0, at % 7)].slice(0, 1 + (at % 6));
    const own = turned.map((key, place) => [at % 3 === 0 ? `${key}${at}` : key, place % 2 ? { [key]: at } : [at]]);
    return Object.fromEntries(own);
  });
  const wide = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`k${(at * 37) % 90}`, at]));
  for (const value of [...objects, wide, ...objects, wide]) {
    assert.is(canonicalJson(value), JSON.stringify(sorted(value)));
  }
});

test('values without a JSON form are refused', () => {
  const refused = [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '\ud800',
    { '\udc00': 1 },
    undefined,
    () => 1,
    1n,
    Symbol('s'),
  ];
  for (const value of refused) {
    assert.throws(
      () => canonicalJson(value),
      (error: unknown) => error instanceof TypeError,
    );
  }
});

test('undefined properties are omitted, and order of insertion does not matter', () => {
  assert.is(canonicalJson({ b: 1, a: undefined, aa: [{ d: 1, c: 2 }] }), '{"aa":[{"c":2,"d":1}],"b":1}');
  assert.is(canonicalHash({ x: 1, y: 2 }), canonicalHash({ y: 2, x: 1 }));
});

test('FIPS 180-2: SHA-256 of "abc"', () => {
  assert.is(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.run();
