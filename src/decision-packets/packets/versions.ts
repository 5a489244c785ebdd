// The versions of rule documents that a packet is stamped with: those that speak in it, and those that name its codes.
import { namingDocuments } from '../document/names.ts';

export const packetDocuments: readonly string[] = [
  ...['rti/data-sufficiency', 'rti/tier-recommendation', 'fidelity/gate', 'fidelity/settings', 'bundle/settings'],
  ...namingDocuments,
];
