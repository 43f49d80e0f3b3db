import type { Connection, Protocol } from './queries.ts';

export const PROVIDERS = ['okta', 'entra', 'google', 'other'] as const;
export type ProviderKind = (typeof PROVIDERS)[number];

/** One setup step at the provider, with an optional value to paste. */
export type ProviderStep = { text: string; copy?: { label: string; value: string } };
export type Guide = { steps: readonly ProviderStep[]; warning?: string };

export const PROVIDER_LABELS: Record<ProviderKind, { name: string; protocol: Protocol }> = {
  okta: { name: 'Okta', protocol: 'saml' },
  entra: { name: 'Microsoft Entra ID', protocol: 'saml' },
  google: { name: 'Google Workspace', protocol: 'oidc' },
  other: { name: 'Another provider', protocol: 'oidc' },
};

type Values = Pick<Connection, 'acsUrl' | 'entityId' | 'callbackUrl' | 'loginUrl'>;

/** Returns the setup steps for a provider. Quoted terms are the provider's own labels. */
export function guideOf(provider: ProviderKind, protocol: Protocol, values: Values): Guide {
  return protocol === 'oidc' ? OIDC[provider](values) : SAML[provider](values);
}

const redirect = (label: string, { callbackUrl }: Values) => ({ label, value: callbackUrl });
const acs = (label: string, { acsUrl }: Values) => ({ label, value: acsUrl });
const entity = (label: string, { entityId }: Values) => ({ label, value: entityId });
const start = (label: string, { loginUrl }: Values) => ({ label, value: loginUrl });

const OIDC: Record<ProviderKind, (values: Values) => Guide> = {
  okta: (values) => ({
    steps: [
      {
        text: 'In the Admin Console open “Applications”, “Create App Integration”, and choose “OIDC - OpenID Connect” and “Web Application”.',
      },
      { text: 'Leave “Authorization Code” selected and paste the redirect URL.', copy: redirect('Sign-in redirect URIs', values) },
      { text: 'To make the app tile work, paste the login URL.', copy: start('Initiate login URI', values) },
      { text: 'Assign your team under “Assignments”.' },
      {
        text: 'Copy “Client ID” and “Client secret” into the fields below. The issuer is your Okta domain, such as https://example.okta.com.',
      },
    ],
    warning: 'Some Okta configurations omit the e-mail address from the ID token. If the test login reports this, use SAML 2.0.',
  }),
  entra: (values) => ({
    steps: [
      { text: 'In the Entra admin center open “App registrations”, “New registration”, and choose the platform “Web”.' },
      { text: 'Paste the redirect URL.', copy: redirect('Redirect URI', values) },
      { text: 'Under “Certificates & secrets” create a “New client secret” and copy its “Value” into the field below.' },
      { text: 'Copy “Application (client) ID” from the overview.' },
      { text: 'The issuer is https://login.microsoftonline.com/<Directory (tenant) ID>/v2.0, with the ID from the overview.' },
    ],
    warning:
      'Microsoft does not state whether an e-mail address is verified by default, and we accept verified addresses only. SAML 2.0 works without extra setup.',
  }),
  google: (values) => ({
    steps: [
      { text: 'In the Google Cloud console open “APIs & Services”, “OAuth consent screen”, and choose the user type “Internal”.' },
      { text: 'Under “Credentials” choose “Create credentials”, “OAuth client ID”, “Web application”.' },
      { text: 'Paste the redirect URL.', copy: redirect('Authorized redirect URIs', values) },
      { text: 'Copy “Client ID” and “Client secret” into the fields below. The issuer is https://accounts.google.com.' },
    ],
  }),
  other: (values) => ({
    steps: [
      { text: 'Register a confidential web client with the authorization code flow and PKCE.' },
      { text: 'Paste the redirect URL.', copy: redirect('Redirect URL', values) },
      { text: 'If the provider can start logins, paste the login URL.', copy: start('Login URL', values) },
      { text: 'Make sure the ID token contains “email” and “email_verified”.' },
      { text: 'Copy issuer, client ID and client secret into the fields below.' },
    ],
  }),
};

const SAML: Record<ProviderKind, (values: Values) => Guide> = {
  okta: (values) => ({
    steps: [
      { text: 'In the Admin Console open “Applications”, “Create App Integration”, and choose “SAML 2.0”.' },
      { text: 'Paste the ACS URL.', copy: acs('Single sign-on URL', values) },
      { text: 'Paste the entity ID.', copy: entity('Audience URI (SP Entity ID)', values) },
      { text: 'Choose “EmailAddress” as “Name ID format” and “Email” as “Application username”.' },
      { text: 'Assign your team under “Assignments”.' },
      { text: 'Under “Sign On” copy the “Metadata URL” into the field below.' },
    ],
  }),
  entra: (values) => ({
    steps: [
      { text: 'In the Entra admin center open “Enterprise applications”, “New application”, “Create your own application”.' },
      { text: 'Under “Single sign-on” choose “SAML” and paste the entity ID.', copy: entity('Identifier (Entity ID)', values) },
      { text: 'Paste the ACS URL.', copy: acs('Reply URL', values) },
      { text: 'To make the app tile work, paste the login URL.', copy: start('Sign on URL', values) },
      { text: 'Under “Attributes & Claims” set “Unique User Identifier” to user.mail, in the format “Email address”.' },
      { text: 'Assign your team under “Users and groups”.' },
      { text: 'Copy the “App Federation Metadata Url” into the field below.' },
    ],
  }),
  google: (values) => ({
    steps: [
      { text: 'In the Admin console open “Apps”, “Web and mobile apps”, “Add custom SAML app”.' },
      { text: 'Download the metadata, publish it at a public https URL, and enter that URL below.' },
      { text: 'Paste the ACS URL.', copy: acs('ACS URL', values) },
      { text: 'Paste the entity ID.', copy: entity('Entity ID', values) },
      { text: 'Choose “EMAIL” as “Name ID format”, “Primary email” as “Name ID”, and turn the app on for your team.' },
    ],
    warning: 'Google offers its metadata as a file only, which you must update with each new certificate. OpenID Connect is easier.',
  }),
  other: (values) => ({
    steps: [
      {
        text: 'Add a service provider. Many providers can import our metadata.',
        copy: entity('Metadata URL and entity ID', values),
      },
      { text: 'Otherwise enter the ACS URL, with HTTP-POST binding.', copy: acs('Assertion Consumer Service (ACS)', values) },
      { text: 'The assertion must be signed and contain the e-mail address, as Name ID or as the attribute “email”.' },
      { text: 'If the provider asks for a login URL, paste this one.', copy: start('Login URL', values) },
      { text: 'Copy the provider’s metadata URL into the field below.' },
    ],
  }),
};
