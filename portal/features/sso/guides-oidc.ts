import { type Guides, redirect, start } from './guide-values.ts';

const NO_ENCRYPTION = [
  'Encryption',
  'Leave ID tokens unencrypted: we have no key for them. They come over https from the provider itself.',
] as const;

export const OIDC_GUIDES: Guides = {
  okta: (values) => ({
    steps: [
      {
        text: 'In the Admin Console open “Applications”, “Create App Integration”, and choose “OIDC - OpenID Connect” and “Web Application”.',
      },
      { text: 'Leave “Authorization Code” selected and paste the redirect URL.', copy: redirect('Sign-in redirect URIs', values) },
      {
        text: 'To make the app tile work, set “Login initiated by” to “Either Okta or App” and paste the login URL.',
        copy: start('Initiate login URI', values),
      },
      { text: 'Assign your team under “Assignments”.' },
      {
        text: 'Copy “Client ID” and “Client secret” into the fields below. The issuer is your Okta domain, such as https://example.okta.com.',
      },
    ],
    facts: [
      ['Claims', 'The ID token has no address; we ask userinfo, which has “email” and “email_verified”.'],
      ['Signature', 'RS256, by default.'],
      ['Client secret', 'Sent by Basic or POST, as Okta announces.'],
      NO_ENCRYPTION,
    ],
    isTried: false,
  }),
  entra: (values) => ({
    steps: [
      {
        text: 'In the Entra admin center open “App registrations”, “New registration”, choose “Accounts in this organizational directory only” and the platform “Web”.',
      },
      { text: 'Paste the redirect URL.', copy: redirect('Redirect URI', values) },
      { text: 'Under “Certificates & secrets” create a “New client secret” and copy its “Value” into the field below.' },
      { text: 'Under “Token configuration” add the optional claim “email” to the ID token.' },
      { text: 'Copy “Application (client) ID” from the overview.' },
      { text: 'The issuer is https://login.microsoftonline.com/<Directory (tenant) ID>/v2.0, with the ID from the overview.' },
      { text: 'Switch on “Accept addresses that are not verified” below: Entra ID never sends “email_verified”.' },
    ],
    facts: [
      ['Claims', '“email” as an optional claim, without “email_verified”.'],
      ['Signature', 'RS256, by default.'],
      ['Client secret', 'The “Value”, not the “Secret ID”. It ends after two years at most.'],
      NO_ENCRYPTION,
    ],
    warning:
      'An admin of your directory can enter any address as that of a user. Use SAML 2.0 if you do not want to rely on that; it needs no such setting.',
    isTried: false,
  }),
  google: (values) => ({
    steps: [
      { text: 'In the Google Cloud console open “APIs & Services”, “OAuth consent screen”, and choose the user type “Internal”.' },
      { text: 'Under “Credentials” choose “Create credentials”, “OAuth client ID”, “Web application”.' },
      { text: 'Paste the redirect URL.', copy: redirect('Authorized redirect URIs', values) },
      { text: 'Copy “Client ID” and “Client secret” into the fields below. The issuer is https://accounts.google.com.' },
    ],
    facts: [
      ['Claims', '“email” and “email_verified” are in the ID token.'],
      ['Signature', 'RS256, always.'],
      ['App launcher', 'Only SAML apps have a tile. People start at the login address of your team.'],
      NO_ENCRYPTION,
    ],
    isTried: false,
  }),
  keycloak: (values) => ({
    steps: [
      { text: 'In your realm open “Clients”, “Create client”, and choose the type “OpenID Connect”.' },
      { text: 'Switch on “Client authentication” and leave “Standard flow” selected.' },
      { text: 'Paste the redirect URL.', copy: redirect('Valid redirect URIs', values) },
      { text: 'For a link in the account console, paste the login URL.', copy: start('Home URL', values) },
      { text: 'Copy the “Client ID” from “Settings” and the “Client Secret” from “Credentials” into the fields below.' },
      { text: 'The issuer is https://<host>/realms/<realm>, as “issuer” in the “OpenID Endpoint Configuration” of “Realm settings”.' },
    ],
    facts: [
      [
        'Claims',
        'The default scope “email” puts “email” and “email_verified” into the ID token. Each user needs “Email verified” switched on.',
      ],
      ['Signature', 'RS256, by default. ES256 and HS256 work too.'],
      ['Client secret', 'Leave the authenticator “Client Id and Secret”.'],
      NO_ENCRYPTION,
    ],
    isTried: false,
  }),
  lemonldap: (values) => ({
    steps: [
      { text: 'In the manager activate “OpenID Connect Service”, and generate its keys.' },
      { text: 'Under “OpenID Connect Relying Parties” add one. Choose a “Client ID” and a “Client secret”, and enter both below.' },
      { text: 'Paste the redirect URL.', copy: redirect('Redirection addresses', values) },
      { text: 'Under “Exported attributes” map “email” to your attribute, usually “mail”, and “name” to “cn”.' },
      {
        text: 'Either map “email_verified” to a macro that is 1, of the type “Boolean”, or switch on “Accept addresses that are not verified” below.',
      },
      {
        text: 'The issuer is the “Issuer identifier” of the service, such as https://auth.example.com. Enter it as it is there, with or without a slash at its end.',
      },
    ],
    facts: [
      ['Claims', 'They are in userinfo, which we ask. “Force claims to be returned in ID Token” is not needed.'],
      ['Signature', 'HS512 by default, which works. RS256 is the better choice.'],
      ['Client secret', 'Sent by Basic or POST; “Authentication method” may stay empty.'],
      NO_ENCRYPTION,
    ],
    isTried: false,
  }),
  simplesamlphp: (values) => ({
    steps: [
      { text: 'SimpleSAMLphp offers OpenID Connect with the module “oidc”. Choose SAML 2.0 above unless you use it.' },
      { text: 'Add a confidential client and paste the redirect URL.', copy: redirect('Redirect URI', values) },
      { text: 'Allow the scopes “openid”, “profile” and “email”.' },
      { text: 'Copy the client ID, the secret and the issuer of the module into the fields below.' },
    ],
    facts: [
      ['Claims', 'In userinfo, which we ask; “email_verified” has to be mapped in the module’s configuration.'],
      ['Signature', 'RS256, by default.'],
      NO_ENCRYPTION,
    ],
    isTried: false,
  }),
  other: (values) => ({
    steps: [
      { text: 'Register a confidential web client with the authorization code flow and PKCE.' },
      { text: 'Paste the redirect URL.', copy: redirect('Redirect URL', values) },
      { text: 'If the provider can start logins, paste the login URL.', copy: start('Login URL', values) },
      { text: 'Make sure that the ID token or userinfo contains “email” and “email_verified”.' },
      { text: 'Copy issuer, client ID and client secret into the fields below.' },
    ],
    facts: [
      ['Signature', 'RS, PS, ES with 256 to 512 bits and Ed25519 by published keys, or HS256 to HS512 by the client secret.'],
      ['Client secret', 'Basic or POST, as the provider announces; Basic if it announces nothing.'],
      ['Clock', 'May differ by five minutes.'],
      NO_ENCRYPTION,
    ],
    isTried: true,
  }),
};
