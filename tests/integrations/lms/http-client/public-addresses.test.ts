// Which addresses of the network may be asked on behalf of a tenant: IANA's registries of special-purpose addresses.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isPublicUnicast } from '#integrations/lms/http-client/public-addresses.ts';

/** The special-purpose blocks of IPv4 in the registry of IANA, written out here so that an update of ipaddr.js cannot open one. */
const closedBlocks = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a carrier
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved; broadcast
];

const closed: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.255.255.255', '::'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'of a carrier': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  'link-local, metadata of clouds': [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
  ],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  documentation: ['192.0.2.1', '198.51.100.255', '203.0.113.0', '2001:db8::1', '3fff:fff:ffff::1'],
  benchmarks: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  'multicast and reserved': ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1'],
  'IPv4 in IPv6': ['::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::8.8.8.8', '64:ff9b::a00:1', '64:ff9b:1::1'],
  '6to4 and Teredo': ['2002:7f00:1::1', '2002::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'unique local and site-local': ['fc00::1', 'fdff::1', 'fec0::1'],
  'AS112 of IPv6': ['2620:4f:8000::1'],
  'IPv6 outside of 2000::/3': ['100::1', '1000::1', '4000::1', '8000::1', 'c000::1'],
  'no address': ['', 'localhost', '8.8.8', '2130706433', '0x7f.1', '[::1]'],
};

for (const [what, addresses] of Object.entries(closed)) {
  test(`closed: ${what}`, () => {
    for (const address of addresses) assert.is(isPublicUnicast(address), false, address);
  });
}

test('open: public unicast addresses, up to the borders of what is closed', () => {
  for (const address of [
    ...['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0'],
    ...[
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '203.0.112.255',
      '203.0.114.0',
      '223.255.255.255',
    ],
    ...['2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700:4700::1111', '3ffe:ffff::1'],
  ]) {
    assert.is(isPublicUnicast(address), true, address);
  }
});

test('each closed block is closed at both of its ends', () => {
  for (const block of closedBlocks) {
    const [address = '', bits = ''] = block.split('/');
    const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    for (const at of [first, first + 2 ** (32 - Number(bits)) - 1]) {
      assert.is(
        isPublicUnicast([24, 16, 8, 0].map((shift) => Math.floor(at / 2 ** shift) % 256).join('.')),
        false,
        block,
      );
    }
  }
});

test.run();
