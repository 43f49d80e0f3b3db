import type { Guide, GuideValues, ProviderKind } from './guide-values.ts';
import type { Protocol } from './queries.ts';
import { OIDC_GUIDES } from './guides-oidc.ts';
import { SAML_GUIDES } from './guides-saml.ts';

export const PROVIDER_LABELS: Record<ProviderKind, { name: string; protocol: Protocol }> = {
  okta: { name: 'Okta', protocol: 'saml' },
  entra: { name: 'Microsoft Entra ID', protocol: 'saml' },
  google: { name: 'Google Workspace', protocol: 'oidc' },
  keycloak: { name: 'Keycloak', protocol: 'oidc' },
  lemonldap: { name: 'LemonLDAP::NG', protocol: 'saml' },
  simplesamlphp: { name: 'SimpleSAMLphp', protocol: 'saml' },
  other: { name: 'Another provider', protocol: 'oidc' },
};

/** Returns the setup steps for a provider. Quoted terms are the provider's own labels. */
export function guideOf(provider: ProviderKind, protocol: Protocol, values: GuideValues): Guide {
  return (protocol === 'oidc' ? OIDC_GUIDES : SAML_GUIDES)[provider](values);
}
