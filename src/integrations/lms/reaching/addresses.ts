// Which addresses of the network are public and lead to one machine. Tenants name the addresses of their learning platforms,
// and none of them may lead into the network that the service itself stands in. Source: IANA's registries of special-purpose
// addresses of IPv4 and IPv6; what a block embeds (an IPv4 address in an IPv6 one) is closed with the whole block.
import { BlockList, isIP } from 'node:net';

/** Without a dot or a colon between them an entry would be a name: `address/bits`. */
export const closedBlocks = {
  ipv4: [
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
  ],
  /** Inside 2000::/3, which alone holds public unicast addresses. */
  ipv6: [
    '2001::/23', // protocol assignments; Teredo, benchmarks, ORCHID
    '2001:db8::/32', // documentation
    '2002::/16', // 6to4
    '2620:4f:8000::/48', // AS112
    '3fff::/20', // documentation
  ],
} as const;

const closed = new BlockList();
for (const block of closedBlocks.ipv4) addBlock(closed, block, 'ipv4');
for (const block of closedBlocks.ipv6) addBlock(closed, block, 'ipv6');
const globalUnicast = new BlockList();
addBlock(globalUnicast, '2000::/3', 'ipv6');

function addBlock(list: BlockList, block: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', bits = ''] = block.split('/');
  list.addSubnet(address, Number(bits), family);
}

/** False too for what is no address, and for an IPv6 address with a zone or an IPv4 address inside. */
export function isPublicUnicast(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return (
    family === 6 && !address.includes('%') && globalUnicast.check(address, 'ipv6') && !closed.check(address, 'ipv6')
  );
}
