import { randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
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
  sessionIndex?: string;
  after?: (xml: string) => string;
};

/** A request of the provider to log a person out. Left out: signed by its key, for the portal, of now. */
export type LogoutAsked = {
  nameId: string;
  sessionIndexes?: string[];
  id?: string;
  destination?: string;
  issuer?: string;
  issuedAt?: Date;
  notOnOrAfter?: Date;
  key?: 'other';
  algorithm?: 'rsa-sha1';
  unsigned?: boolean;
  relayState?: string;
};

/** A real SAML provider (samlify) that can send forged responses. Only its metadata is fetched; responses go through the browser. */
export type TestSaml = {
  metadataUrl: string;
  entityId: string;
  /** The response to the request in this address, in base64, and the relay state that came along. */
  respond(asked: URL, email: string, forgery?: SamlForgery): Promise<{ SAMLResponse: string; RelayState: string }>;
  /** The address to which it sends a browser, so that the portal ends the sessions of a person. */
  askLogout(asked: LogoutAsked): URL;
  /** Verifies a request or a response about a log-out at this address, as the portal with this metadata would sign it. Returns what it says. */
  readLogout(url: URL, metadata: string): Promise<Record<string, unknown>>;
  /** What the metadata address answers instead. */
  publish(xml: string | null): void;
  metadata(): string;
  close(): Promise<void>;
};

const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

export async function startSamlProvider(service: { entityId: string; acsUrl: string; logoutUrl?: string }): Promise<TestSaml> {
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
      singleLogoutService: [{ Binding: REDIRECT, Location: `${base}/slo` }],
      wantLogoutRequestSigned: true,
      wantLogoutResponseSigned: true,
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
        const { sessionIndex } = forgery;
        const statement =
          sessionIndex === undefined
            ? ''
            : `<saml:AuthnStatement AuthnInstant="${values.IssueInstant}" SessionIndex="${sessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
        const withStatement = template.replace('{AuthnStatement}', statement);
        return { id: values.ID, context: samlify.SamlLib.replaceTagsByValue(withStatement, values) };
      };
      const provider = forgery.key === 'other' ? providers.other : providers.own;
      const made = await provider.createLoginResponse(party, { extract: { request: { id: requestId } } }, 'post', { email }, fill);
      let xml = Buffer.from(String(made.context), 'base64').toString();
      if (forgery.unsigned) xml = xml.replace(/<(?:\w+:)?Signature\b[\s\S]*?<\/(?:\w+:)?Signature>/g, '');
      if (forgery.after) xml = forgery.after(xml);
      return { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: asked.searchParams.get('RelayState') ?? '' };
    },
    askLogout(asked) {
      const indexes = (asked.sessionIndexes ?? []).map((one) => `<samlp:SessionIndex>${one}</samlp:SessionIndex>`).join('');
      const end = asked.notOnOrAfter ? ` NotOnOrAfter="${asked.notOnOrAfter.toISOString()}"` : '';
      const target = asked.destination ?? service.logoutUrl ?? '';
      const xml = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${asked.id ?? `_${randomUUID()}`}" Version="2.0" IssueInstant="${(asked.issuedAt ?? new Date()).toISOString()}" Destination="${target}"${end}><saml:Issuer>${asked.issuer ?? entityId}</saml:Issuer><saml:NameID Format="${EMAIL}">${asked.nameId}</saml:NameID>${indexes}</samlp:LogoutRequest>`;
      const more = asked.algorithm === 'rsa-sha1' ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' : RSA_SHA256;
      const parts = {
        SAMLRequest: deflateRawSync(xml).toString('base64'),
        ...(asked.relayState === undefined ? {} : { RelayState: asked.relayState }),
        ...(asked.unsigned ? {} : { SigAlg: more }),
      };
      // Lower-case hexadecimal digits, as some providers write them: the signature is over these characters.
      const text = Object.entries(parts)
        .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase())}`)
        .join('&');
      const hash = asked.algorithm === 'rsa-sha1' ? 'sha1' : 'sha256';
      const signature = sign(hash, Buffer.from(text), asked.key === 'other' ? OTHER_KEY : OWN_KEY).toString('base64');
      return new URL(`${service.logoutUrl ?? ''}?${text}${asked.unsigned ? '' : `&Signature=${encodeURIComponent(signature)}`}`);
    },
    async readLogout(url, metadata) {
      const portal = samlify.ServiceProvider({ metadata });
      const query = Object.fromEntries(url.searchParams);
      const octetString = url.search.slice(1).replace(/&Signature=.*$/, '');
      const isRequest = query['SAMLRequest'] !== undefined;
      const read = isRequest ? providers.own.parseLogoutRequest : providers.own.parseLogoutResponse;
      const { extract } = await read.call(providers.own, portal, 'redirect', { query, octetString });
      return extract as Record<string, unknown>; // a plain object by the library
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
