// Words in capitals that need no entry in the glossary, by subject.
const words: Readonly<Record<string, string>> = {
  computing: 'API ASCII CPU CSV DER GB HTML HTTP ID JSON MB PDF PEM REST SQL TCP TZ URI URL UTC UTF UUID',
  standards: 'ASVS BCP IANA ISO NFC NFKC NFKD OWASP PKCS RFC UAX',
  cryptography: 'AES GCM HMAC JWT PKCE SHA TLS TOTP',
  'methods, statements and errors': 'CERT DATE EPERM EPIPE FOR GET HEAD KEY NOT NULL POST SHARE',
  'formats of dates': 'DD DDTHH MM SS YYYY',
  'countries and regions': 'CA EU EZ GB QO SA UN US XA XB ZZ',
  'networks that no public address belongs to': 'AMT',
  'classes of the bidirectional algorithm': 'AL AN CS EN ES ET NSM',
  'operators and bytes of PDF and ZIP': 'BDC BT EMC FEFF PK',
  'numbers of mathematics': 'PI',
  'places of an example': 'AB BAND CODE',
  'words of the code that abbreviate nothing':
    'ADMIN ALERT ANY BADGE FACT GAP HOST NAME NONE OPEN PATH PORT SOUND SUPER TIER TILE',
};

export const generalWords: ReadonlySet<string> = new Set(Object.values(words).flatMap((list) => list.split(' ')));
