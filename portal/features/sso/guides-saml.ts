import { acs, entity, type Guides, start } from './guide-values.ts';

const TILE = ['Tile', 'Clicking it starts a login here. Your provider may ask you to log in again.'] as const;

export const SAML_GUIDES: Guides = {
  okta: (values) => ({
    steps: [
      { text: 'In the Admin Console open “Applications”, “Create App Integration”, and choose “SAML 2.0”.' },
      { text: 'Paste the ACS URL.', copy: acs('Single sign-on URL', values) },
      { text: 'Paste the entity ID.', copy: entity('Audience URI (SP Entity ID)', values) },
      { text: 'Leave “Default RelayState” empty. Choose “EmailAddress” as “Name ID format” and “Email” as “Application username”.' },
      { text: 'Assign your team under “Assignments”.' },
      { text: 'Under “Sign On” copy the “Metadata URL” into the field below.' },
    ],
    facts: [
      ['Name ID', '“EmailAddress”. An attribute “email” works as well.'],
      ['Signature', 'Response and assertion, RSA-SHA256: both by default.'],
      ['Encryption', 'Off by default. To use it, paste our certificate from the metadata under “Assertion Encryption”.'],
      ['Requests', 'Okta does not ask for signed ones. With “Signed Requests”, switch on “Sign requests” below.'],
      TILE,
    ],
    isTried: false,
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
    facts: [
      ['Name ID', 'The user principal name by default; the claim “emailaddress” (user.mail) counts first and is sent by default.'],
      ['Signature', '“Sign SAML assertion” with SHA-256: the default. SHA-1 is refused.'],
      ['Encryption', 'Off by default. To use it, import our certificate under “Token encryption”.'],
      ['Requests', 'Not signed. With “Require verification certificates”, upload ours and switch on “Sign requests” below.'],
    ],
    isTried: false,
  }),
  google: (values) => ({
    steps: [
      { text: 'In the Admin console open “Apps”, “Web and mobile apps”, “Add custom SAML app”.' },
      { text: 'Download the metadata, publish it at a public https URL, and enter that URL below.' },
      { text: 'Paste the ACS URL.', copy: acs('ACS URL', values) },
      { text: 'Paste the entity ID.', copy: entity('Entity ID', values) },
      {
        text: 'Leave “Start URL” empty. Choose “EMAIL” as “Name ID format”, “Primary email” as “Name ID”, and turn the app on for your team.',
      },
    ],
    facts: [
      ['Name ID', '“EMAIL”.'],
      ['Signature', 'The assertion by default, or the whole response with “Signed response”: both work. RSA-SHA256.'],
      ['Encryption', 'Google does not encrypt.'],
      ['Requests', 'Google does not ask for signed ones.'],
      TILE,
    ],
    warning: 'Google offers its metadata as a file only, which you must update with each new certificate. OpenID Connect is easier.',
    isTried: false,
  }),
  keycloak: (values) => ({
    steps: [
      {
        text: 'Enter https://<host>/realms/<realm>/protocol/saml/descriptor as the metadata URL below and save: our metadata then contains our key.',
      },
      { text: 'Download our metadata from its address.', copy: entity('Metadata URL and entity ID', values) },
      { text: 'In your realm open “Clients”, “Import client”, and choose that file.' },
      { text: 'Check “Name ID format”: “email”. Under “Client scopes” leave the role mapping as it is; no attribute is needed.' },
      { text: 'For a tile, set an “IDP-Initiated SSO URL name”.' },
    ],
    facts: [
      ['Name ID', '“email”. Each user needs an address.'],
      ['Signature', 'The import switches on “Sign assertions”; “Sign documents” works as well. RSA_SHA256 by default.'],
      ['Encryption', 'The import switches on “Encrypt assertions” with our key; AES and RSA-OAEP work.'],
      ['Requests', 'Keycloak wants signed ones, and says so in its metadata: we sign them.'],
      TILE,
    ],
    isTried: false,
  }),
  lemonldap: (values) => ({
    steps: [
      {
        text: 'In the manager activate “SAML2 Service” and generate its keys. Enter https://<portal>/saml/metadata as the metadata URL below and save: our metadata then contains our key.',
      },
      {
        text: 'Under “SAML service providers” add one and load our metadata from its address.',
        copy: entity('Metadata URL and entity ID', values),
      },
      { text: 'Under “Exported attributes” add “mail”, with the name “mail”.' },
      { text: 'Under “Options”, “Authentication response”, choose “Email” as “Default NameID format”.' },
      { text: 'Leave “Check SSO message signature” on, and save the configuration.' },
    ],
    facts: [
      ['Name ID', 'Any: the attribute “mail” counts first.'],
      ['Signature', '“Sign SSO message” signs the response. Choose RSA-SHA256 as “Signature method” of the service; SHA-1 is refused.'],
      [
        'Encryption',
        '“Encryption mode” is “None” by default. Assertions may be encrypted; an encrypted name ID alone is ignored, so that “mail” must be sent.',
      ],
      [
        'Requests',
        'It checks their signature: we sign them, since its metadata asks for it. If it does not, switch on “Sign requests” below.',
      ],
      TILE,
    ],
    isTried: false,
  }),
  simplesamlphp: (values) => ({
    steps: [
      {
        text: 'Enter the metadata URL of your identity provider below: /simplesaml/saml2/idp/metadata.php in version 1, /simplesaml/module.php/saml/idp/metadata in version 2. Save: our metadata then contains our key.',
      },
      {
        text: 'Open our metadata from its address, convert it with “XML to SimpleSAMLphp metadata converter”.',
        copy: entity('Metadata URL and entity ID', values),
      },
      { text: 'Add the result to metadata/saml20-sp-remote.php.' },
      { text: 'Make sure that the authentication source returns “mail”, and that no “attributes” list of the entry leaves it out.' },
    ],
    facts: [
      ['Name ID', 'Transient by default: fine, since the attribute “mail” counts first.'],
      ['Signature', 'Response and assertion, RSA-SHA256: both by default.'],
      ['Encryption', 'Off by default. With “assertion.encryption” it uses our key.'],
      ['Requests', 'Not checked by default. With “validate.authnrequest”, switch on “Sign requests” below.'],
      TILE,
    ],
    isTried: true,
  }),
  other: (values) => ({
    steps: [
      {
        text: 'Add a service provider. Many providers import our metadata; it contains our key once the connection is saved.',
        copy: entity('Metadata URL and entity ID', values),
      },
      { text: 'Otherwise enter the ACS URL, with HTTP-POST binding.', copy: acs('Assertion Consumer Service (ACS)', values) },
      { text: 'The e-mail address must be sent, as Name ID or as the attribute “email” or “mail”.' },
      { text: 'If the provider asks for a login URL, paste this one.', copy: start('Login URL', values) },
      { text: 'Copy the provider’s metadata URL into the field below.' },
    ],
    facts: [
      [
        'Signature',
        'Of the assertion, the response, or both; RSA, RSA-PSS or ECDSA with SHA-256 to SHA-512. SHA-1 only where you allow it.',
      ],
      ['Encryption', 'Of the assertion, with our key: AES with 128 or 256 bits, RSA-OAEP.'],
      ['Requests', 'Signed where the metadata wants it, or where you ask for it below.'],
      ['Clock', 'May differ by five minutes.'],
      TILE,
    ],
    isTried: true,
  }),
};
