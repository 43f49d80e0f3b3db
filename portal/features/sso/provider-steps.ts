import type { Connection, Protocol } from './queries.ts';

export const PROVIDERS = ['okta', 'entra', 'google', 'other'] as const;
export type ProviderKind = (typeof PROVIDERS)[number];

/** One thing to do at the provider, and the value to paste there or the field here that takes what it shows. */
export type ProviderStep = { text: string; copy?: { label: string; value: string } };
export type Guide = { steps: readonly ProviderStep[]; warning?: string };

export const PROVIDER_WORDS: Record<ProviderKind, { name: string; protocol: Protocol }> = {
  okta: { name: 'Okta', protocol: 'saml' },
  entra: { name: 'Microsoft Entra ID', protocol: 'saml' },
  google: { name: 'Google Workspace', protocol: 'oidc' },
  other: { name: 'Another provider', protocol: 'oidc' },
};

type Values = Pick<Connection, 'acsUrl' | 'entityId' | 'callbackUrl' | 'loginUrl'>;

/** What to do at a provider, one step after the other. The words in quotes are those its own pages use. */
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
      { text: 'Leave “Authorization Code” ticked and paste the redirect address.', copy: redirect('Sign-in redirect URIs', values) },
      { text: 'So that a click on the tile works, paste the start address.', copy: start('Initiate login URI', values) },
      { text: 'Assign the people of your team under “Assignments”.' },
      {
        text: 'Copy “Client ID” and “Client secret” into the fields below. The issuer is your Okta domain, such as https://example.okta.com.',
      },
    ],
    warning: 'Some Okta set-ups leave the e-mail address out of the ID token. If the test login says so, use SAML 2.0.',
  }),
  entra: (values) => ({
    steps: [
      { text: 'In the Entra admin center open “App registrations”, “New registration”, and take the platform “Web”.' },
      { text: 'Paste the redirect address.', copy: redirect('Redirect URI', values) },
      { text: 'Under “Certificates & secrets” make a “New client secret” and copy its “Value” into the field below.' },
      { text: 'Copy “Application (client) ID” from the overview.' },
      { text: 'The issuer is https://login.microsoftonline.com/<Directory (tenant) ID>/v2.0, with the ID of the overview.' },
    ],
    warning: 'Microsoft does not say by itself whether an address is verified, and we take no other. SAML 2.0 works without more ado.',
  }),
  google: (values) => ({
    steps: [
      { text: 'In the Google Cloud console open “APIs & Services”, “OAuth consent screen”, and take the user type “Internal”.' },
      { text: 'Under “Credentials” choose “Create credentials”, “OAuth client ID”, “Web application”.' },
      { text: 'Paste the redirect address.', copy: redirect('Authorized redirect URIs', values) },
      { text: 'Copy “Client ID” and “Client secret” into the fields below. The issuer is https://accounts.google.com.' },
    ],
  }),
  other: (values) => ({
    steps: [
      { text: 'Register a confidential web client with the authorization code flow and PKCE.' },
      { text: 'Paste the redirect address.', copy: redirect('Redirect address', values) },
      { text: 'If the provider can start a login itself, paste the start address.', copy: start('Start address', values) },
      { text: 'Its ID token has to carry “email” and “email_verified”.' },
      { text: 'Copy issuer, client ID and client secret into the fields below.' },
    ],
  }),
};

const SAML: Record<ProviderKind, (values: Values) => Guide> = {
  okta: (values) => ({
    steps: [
      { text: 'In the Admin Console open “Applications”, “Create App Integration”, and choose “SAML 2.0”.' },
      { text: 'Paste the address that takes the answer.', copy: acs('Single sign-on URL', values) },
      { text: 'Paste the name we go by.', copy: entity('Audience URI (SP Entity ID)', values) },
      { text: 'Take “EmailAddress” as “Name ID format” and “Email” as “Application username”.' },
      { text: 'Assign the people of your team under “Assignments”.' },
      { text: 'Under “Sign On” copy the “Metadata URL” into the field below.' },
    ],
  }),
  entra: (values) => ({
    steps: [
      { text: 'In the Entra admin center open “Enterprise applications”, “New application”, “Create your own application”.' },
      { text: 'Under “Single sign-on” choose “SAML” and paste the name we go by.', copy: entity('Identifier (Entity ID)', values) },
      { text: 'Paste the address that takes the answer.', copy: acs('Reply URL', values) },
      { text: 'So that a click on the tile works, paste the start address.', copy: start('Sign on URL', values) },
      { text: 'Under “Attributes & Claims” let the “Unique User Identifier” be user.mail, in the format “Email address”.' },
      { text: 'Assign the people of your team under “Users and groups”.' },
      { text: 'Copy the “App Federation Metadata Url” into the field below.' },
    ],
  }),
  google: (values) => ({
    steps: [
      { text: 'In the Admin console open “Apps”, “Web and mobile apps”, “Add custom SAML app”.' },
      { text: 'Download the metadata and put it at an https address that anybody can read; that address goes into the field below.' },
      { text: 'Paste the address that takes the answer.', copy: acs('ACS URL', values) },
      { text: 'Paste the name we go by.', copy: entity('Entity ID', values) },
      { text: 'Take “EMAIL” as “Name ID format”, “Primary email” as “Name ID”, and switch the app on for your team.' },
    ],
    warning: 'Google gives its metadata as a file only, and somebody has to renew it with the certificate. OpenID Connect is less work.',
  }),
  other: (values) => ({
    steps: [
      {
        text: 'Add a service provider. Many providers read everything from our metadata.',
        copy: entity('Metadata address and entity ID', values),
      },
      { text: 'Others ask for the address that takes the answer, by HTTP-POST.', copy: acs('Assertion Consumer Service (ACS)', values) },
      { text: 'The assertion has to be signed and to carry the e-mail address, as Name ID or as the attribute “email”.' },
      { text: 'If the provider wants a start address, paste this one.', copy: start('Start address', values) },
      { text: 'Copy the address of its metadata into the field below.' },
    ],
  }),
};
