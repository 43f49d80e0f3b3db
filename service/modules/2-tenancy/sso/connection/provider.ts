import type { OidcProvider } from '#adapters/oidc.ts';
import type { SamlProvider, SamlService } from '#adapters/saml.ts';
import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { openClientSecret } from './client-secret.ts';
import type { ConnectionRow } from '../store.ts';
import { openKeys } from './own-keys.ts';

export type Provider = ({ protocol: 'oidc' } & OidcProvider) | ({ protocol: 'saml' } & SamlProvider);

/** Returns the provider of a connection with its secret opened. The table's checks guarantee the values. */
export function providerOf(dataKeys: DataKeys, row: ConnectionRow): Provider {
  if (row.protocol === 'oidc') {
    const { issuer, oidcClientId, clientSecretSealed, secretKeyId } = row;
    if (!issuer || !oidcClientId || !clientSecretSealed || !secretKeyId)
      throw new Error(`The connection of partner ${row.partnerId} is incomplete.`);
    const clientSecret = openClientSecret(dataKeys, row.partnerId, { ...row, clientSecretSealed, secretKeyId });
    return { protocol: 'oidc', issuer, clientId: oidcClientId, clientSecret };
  }
  const { idpEntityId, idpSsoUrl, idpCertificates } = row;
  if (!idpEntityId || !idpSsoUrl || !idpCertificates) throw new Error(`The connection of partner ${row.partnerId} is incomplete.`);
  return { protocol: 'saml', entityId: idpEntityId, ssoUrl: idpSsoUrl, certificates: idpCertificates };
}

/** Returns the portal as the provider of a connection knows it, with its keys opened. */
export function serviceOf(dataKeys: DataKeys, row: ConnectionRow, addresses: { entityId: string; acsUrl: string }): SamlService {
  const { entityId, acsUrl } = addresses;
  const { allowsSha1 } = row;
  return { entityId, acsUrl, keys: openKeys(dataKeys, row), signsRequests: row.signsRequests || row.idpWantsSigned, allowsSha1 };
}
