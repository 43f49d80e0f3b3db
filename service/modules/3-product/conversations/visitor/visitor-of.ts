import { createHmac } from 'node:crypto';
import { networkOf } from '#platform/http/network.ts';
import type { Secret } from '#platform/secret.ts';

/**
 * Returns the id under which the credits of the visitors behind one network are counted for an agency, as a UUID. It is a keyed hash: no address is
 * stored, and those of two agencies cannot be compared.
 */
export function visitorOf(secret: Secret, partnerId: string, address: string): string {
  const hash = createHmac('sha256', secret.reveal())
    .update(`visitor:${partnerId}:${networkOf(address)}`)
    .digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
