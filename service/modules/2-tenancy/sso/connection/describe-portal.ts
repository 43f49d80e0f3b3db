import type { SsoDeps } from '../deps.ts';
import { findKeysBySlug } from '../store-keys.ts';
import { addressesOf } from './connection-answer.ts';

/**
 * Returns the portal as SAML metadata for the provider of an agency. An unknown slug gets the same without keys; only a saved connection has
 * keys, since a provider has to know them before the connection is verified.
 */
export async function describePortal(deps: Pick<SsoDeps, 'db' | 'saml' | 'baseUrl'>, slug: string): Promise<string> {
  const found = await deps.db.asSystem('login', (tx) => findKeysBySlug(tx, slug));
  const certificates = [found?.ownCertificate, found?.nextCertificate].filter((one) => typeof one === 'string');
  const addresses = addressesOf(deps.baseUrl, slug);
  const logoutUrl = found?.logsOut ? addresses.logoutUrl : null;
  return deps.saml.describe({ ...addresses, certificates, signsRequests: found?.isSigning ?? false, logoutUrl });
}
