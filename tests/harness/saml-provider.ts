import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import * as samlify from 'samlify';
import { OTHER_KEY, OWN_CERTIFICATE, OWN_KEY } from './saml-keys.ts';

/** What differs from a good response. Values are put in before it is signed; `after` changes the signed text. */
export type SamlForgery = {
  email?: string;
  audience?: string;
  recipient?: string;
  issuer?: string;
  inResponseTo?: string | null;
  notBefore?: Date;
  notOnOrAfter?: Date;
  statusCode?: string;
  key?: 'other';
  unsigned?: boolean;
  after?: (xml: string) => string;
};

/** A real SAML provider (samlify) that can send forged responses. Only its metadata is fetched; responses go through the browser. */
export type TestSaml = {
  metadataUrl: string;
  entityId: string;
  /** The response to the request in this address, in base64, and the relay state that came along. */
  respond(asked: URL, email: string, forgery?: SamlForgery): Promise<{ SAMLResponse: string; RelayState: string }>;
  /** What the metadata address answers instead. */
  publish(xml: string | null): void;
  metadata(): string;
  close(): Promise<void>;
};

const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

export async function startSamlProvider(service: { entityId: string; acsUrl: string }): Promise<TestSaml> {
  // Responses of the tests are made here and not by strangers: there is nothing to validate.
  samlify.setSchemaValidator({ validate: async () => 'valid' });
  let published: string | null = null;
  let own = '';
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/xml').end(published ?? own));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const base = `http://127.0.0.1:${port}`;
  const entityId = `${base}/entity`;
  const providerWith = (privateKey: string) =>
    samlify.IdentityProvider({
      entityID: entityId,
      privateKey,
      signingCert: OWN_CERTIFICATE,
      isAssertionEncrypted: false,
      wantAuthnRequestsSigned: false,
      nameIDFormat: [EMAIL],
      singleSignOnService: [{ Binding: REDIRECT, Location: `${base}/sso` }],
      loginResponseTemplate: { context: samlify.SamlLib.defaultLoginResponseTemplate.context, attributes: [] },
    });
  const providers = { own: providerWith(OWN_KEY), other: providerWith(OTHER_KEY) };
  own = providers.own.getMetadata();
  const party = samlify.ServiceProvider({
    entityID: service.entityId,
    wantAssertionsSigned: true,
    assertionConsumerService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: service.acsUrl }],
  });
  return {
    metadataUrl: `${base}/metadata`,
    entityId,
    metadata: () => own,
    publish: (xml) => void (published = xml),
    async respond(asked, email, forgery = {}) {
      const request = inflateRawSync(Buffer.from(asked.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
      const requestId = /\bID="([^"]+)"/.exec(request)?.[1] ?? '';
      const now = Date.now();
      const notOnOrAfter = (forgery.notOnOrAfter ?? new Date(now + 300_000)).toISOString();
      const fill = (template: string) => {
        const values = {
          ID: '_response-of-the-tests',
          AssertionID: '_assertion-of-the-tests',
          IssueInstant: new Date(now).toISOString(),
          Destination: forgery.recipient ?? service.acsUrl,
          Issuer: forgery.issuer ?? entityId,
          StatusCode: forgery.statusCode ?? SUCCESS,
          NameIDFormat: EMAIL,
          NameID: forgery.email ?? email,
          InResponseTo: forgery.inResponseTo === null ? undefined : (forgery.inResponseTo ?? requestId),
          SubjectRecipient: forgery.recipient ?? service.acsUrl,
          SubjectConfirmationDataNotOnOrAfter: notOnOrAfter,
          ConditionsNotBefore: (forgery.notBefore ?? new Date(now - 60_000)).toISOString(),
          ConditionsNotOnOrAfter: notOnOrAfter,
          Audience: forgery.audience ?? service.entityId,
          AuthnStatement: '',
          AttributeStatement: '',
        };
        return { id: values.ID, context: samlify.SamlLib.replaceTagsByValue(template, values) };
      };
      const provider = forgery.key === 'other' ? providers.other : providers.own;
      const made = await provider.createLoginResponse(party, { extract: { request: { id: requestId } } }, 'post', { email }, fill);
      let xml = Buffer.from(String(made.context), 'base64').toString();
      if (forgery.unsigned) xml = xml.replace(/<(?:\w+:)?Signature\b[\s\S]*?<\/(?:\w+:)?Signature>/g, '');
      if (forgery.after) xml = forgery.after(xml);
      return { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: asked.searchParams.get('RelayState') ?? '' };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
