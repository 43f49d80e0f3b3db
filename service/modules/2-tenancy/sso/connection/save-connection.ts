import { createOwnKey } from '#adapters/saml-certificate.ts';
import { SamlFault, type SamlMetadata } from '#adapters/saml.ts';
import { OidcFault } from '#adapters/oidc.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { openClientSecret, sealClientSecret } from './client-secret.ts';
import { keyName, labelOf, toRecord } from './connection-answer.ts';
import { sealKey } from './own-keys.ts';
import type { SsoDeps } from '../deps.ts';
import { requirePlan } from '../require-plan.ts';
import { deleteAttempts } from '../store-attempts.ts';
import { forgetProviderSessions } from '../store-provider-sessions.ts';
import { writeFirstKey } from '../store-keys.ts';
import {
  type ConnectionRow,
  type ConnectionValues,
  deleteConnection,
  findConnection,
  findSsoContext,
  lockConnection,
  putConnection,
} from '../store.ts';

export type GivenConnection =
  | {
      protocol: 'oidc';
      issuer: string;
      clientId: string;
      clientSecret?: string | undefined;
      emailDomains: string[];
      vouchesForEmails: boolean;
      logsOut: boolean;
    }
  | {
      protocol: 'saml';
      metadataUrl?: string | undefined;
      metadataXml?: string | undefined;
      emailDomains: string[];
      allowsSha1: boolean;
      signsRequests: boolean;
      logsOut: boolean;
    };

/** Values that the provider accepted, with the client secret to seal. */
type CheckedConnection = Omit<ConnectionValues, 'clientSecretSealed' | 'secretKeyId'> & { clientSecret: string | null };

export async function readConnection(deps: SsoDeps, { actor }: Pick<RequestContext, 'actor'>) {
  return deps.db.asTenant(actor, async (tx) => {
    const context = await findSsoContext(tx, actor);
    return context ? toRecord(deps, context, await findConnection(tx, actor.partnerId)) : refuse('not_found');
  });
}

/**
 * Saves the connection as a draft after checking the provider, so an unusable one is refused at once. Cannot be changed while enforced,
 * because a mistake would lock the whole team out.
 */
export async function saveConnection(deps: SsoDeps, caller: RequestContext, given: GivenConnection) {
  const { actor, now } = caller;
  const before = await deps.db.asTenant(actor, async (tx) => {
    const context = requirePlan(await findSsoContext(tx, actor));
    const row = await findConnection(tx, actor.partnerId);
    refuseWhileEnforced(row);
    return { row, slug: context.slug };
  });
  if (given.protocol === 'saml') refuseWithoutHttps(deps);
  const { clientSecret, ...values } =
    given.protocol === 'oidc'
      ? await checkOidc(deps, actor.partnerId, given, before.row)
      : await checkSaml(deps, actor.partnerId, given, before.row);
  // Providers that want signed requests or encrypt import our metadata, so that every SAML connection has a key from the start.
  const key = given.protocol === 'saml' && !before.row?.ownCertificate ? await createOwnKey(keyName(deps.baseUrl, before.slug), now) : null;
  return deps.db.asTenant(actor, async (tx) => {
    const current = await lockConnection(tx, actor.partnerId);
    if (current) requireMatch(caller.header('if-match'), current.updatedAt);
    refuseWhileEnforced(current);
    const secret = clientSecret === null ? NO_SECRET : await sealClientSecret(deps.dataKeys, tx, actor.partnerId, clientSecret, current);
    await putConnection(tx, actor.partnerId, { ...values, ...secret }, now);
    if (!values.logsOut || !isSameProvider(current, values)) await forgetProviderSessions(tx, actor.partnerId);
    if (key) await writeFirstKey(tx, actor.partnerId, await sealKey(deps.dataKeys, tx, actor.partnerId, key, current));
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'sso.connection_saved',
      target: { type: 'sso_connection', id: actor.partnerId, label: labelOf(values) },
      changes: {
        protocol: [current?.protocol ?? null, given.protocol],
        emailDomains: [current?.emailDomains ?? null, given.emailDomains],
        // A change that makes a login weaker is recorded with its admin.
        vouchesForEmails: [current?.vouchesForEmails ?? null, values.vouchesForEmails],
        allowsSha1: [current?.allowsSha1 ?? null, values.allowsSha1],
        signsRequests: [current?.signsRequests ?? null, values.signsRequests],
        logsOut: [current?.logsOut ?? null, values.logsOut],
        ...(given.protocol === 'oidc' && given.clientSecret !== undefined ? { clientSecret: ['changed', 'changed'] } : {}),
      },
      origin: originOf(caller),
    });
    const context = await findSsoContext(tx, actor);
    return context ? toRecord(deps, context, await findConnection(tx, actor.partnerId)) : refuse('not_found');
  });
}

export async function removeConnection(deps: SsoDeps, caller: RequestContext): Promise<void> {
  const { actor } = caller;
  await deps.db.asTenant(actor, async (tx) => {
    const row = await lockConnection(tx, actor.partnerId);
    if (!row) return refuse('not_found');
    refuseWhileEnforced(row);
    await deleteConnection(tx, actor.partnerId);
    await deleteAttempts(tx, actor.partnerId);
    await forgetProviderSessions(tx, actor.partnerId);
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'sso.connection_deleted',
      target: { type: 'sso_connection', id: actor.partnerId, label: labelOf(row) },
      origin: originOf(caller),
    });
  });
}

function refuseWhileEnforced(row: ConnectionRow | undefined): void {
  if (row?.enforced) refuse('invalid_state', { detail: 'Turn off enforcement first: a mistake here would lock out your whole team.' });
}

/** A SAML provider posts from its own site; without https the browser keeps the cookie back, and every login fails without a cause in sight. */
function refuseWithoutHttps({ baseUrl, isProduction, log }: SsoDeps): void {
  if (baseUrl.startsWith('https:')) return;
  if (isProduction)
    refuseField('protocol', 'https_required', 'SAML needs https: set PUBLIC_BASE_URL to an https:// address, or use OpenID Connect.');
  log.warn('SAML without https: browsers send the cookie of a login only to a provider on the same site');
}

async function checkOidc(
  deps: SsoDeps,
  partnerId: string,
  given: Extract<GivenConnection, { protocol: 'oidc' }>,
  before: ConnectionRow | undefined,
): Promise<CheckedConnection> {
  const stored =
    before?.clientSecretSealed && before.secretKeyId
      ? { ...before, clientSecretSealed: before.clientSecretSealed, secretKeyId: before.secretKeyId }
      : null;
  if (given.clientSecret === undefined && !stored)
    return refuseField('clientSecret', 'required', 'Paste the client secret of your provider.');
  // A stored secret is sent only to the issuer it was saved for.
  if (given.clientSecret === undefined && before?.issuer !== given.issuer)
    return refuseField('clientSecret', 'required', 'Another issuer needs its own client secret.');
  const clientSecret = given.clientSecret ?? (stored ? openClientSecret(deps.dataKeys, partnerId, stored) : '');
  await guardAddress(deps, 'issuer', given.issuer);
  const { logoutUrl } = await deps.oidc
    .check({ issuer: given.issuer, clientId: given.clientId, clientSecret })
    .catch((error: unknown) => refuseProvider('issuer', error));
  return {
    ...NOTHING,
    protocol: 'oidc',
    emailDomains: given.emailDomains,
    issuer: given.issuer,
    oidcClientId: given.clientId,
    vouchesForEmails: given.vouchesForEmails,
    logsOut: given.logsOut,
    idpLogoutUrl: logoutUrl,
    clientSecret,
  };
}

async function checkSaml(
  deps: SsoDeps,
  partnerId: string,
  given: Extract<GivenConnection, { protocol: 'saml' }>,
  before: ConnectionRow | undefined,
): Promise<CheckedConnection> {
  const source = await readSource(deps, partnerId, given, before);
  const { emailDomains, allowsSha1, signsRequests, logsOut } = given;
  return { ...NOTHING, ...source, clientSecret: null, protocol: 'saml', emailDomains, allowsSha1, signsRequests, logsOut };
}

type Source = Pick<
  ConnectionValues,
  | 'metadataUrl'
  | 'idpEntityId'
  | 'idpSsoUrl'
  | 'idpLogoutUrl'
  | 'idpLogoutResponseUrl'
  | 'idpCertificates'
  | 'certificateExpiresAt'
  | 'metadataValidUntil'
  | 'idpWantsSigned'
>;

/** Reads the provider at an address, or from a pasted document; without either, the document that was pasted before is kept. */
async function readSource(
  deps: SsoDeps,
  partnerId: string,
  { metadataUrl, metadataXml }: Pick<Extract<GivenConnection, { protocol: 'saml' }>, 'metadataUrl' | 'metadataXml'>,
  before: ConnectionRow | undefined,
): Promise<Source> {
  if (metadataUrl !== undefined && metadataXml !== undefined)
    return refuseField('metadataXml', 'ambiguous', 'Enter the address of the metadata or paste the document, not both.');
  if (metadataXml !== undefined)
    return sourceOf(
      null,
      await deps.saml.parseMetadata(partnerId, metadataXml).catch((error: unknown) => refuseProvider('metadataXml', error)),
    );
  if (metadataUrl !== undefined) {
    await guardAddress(deps, 'metadataUrl', metadataUrl);
    const read = await deps.saml.readMetadata(partnerId, metadataUrl).catch((error: unknown) => refuseProvider('metadataUrl', error));
    return sourceOf(metadataUrl, read);
  }
  if (before?.protocol !== 'saml' || before.metadataUrl !== null)
    return refuseField('metadataUrl', 'required', 'Enter the address of the metadata, or paste the document.');
  const { idpEntityId, idpSsoUrl, idpLogoutUrl, idpLogoutResponseUrl, ...kept } = before;
  const { idpCertificates, certificateExpiresAt, metadataValidUntil, idpWantsSigned } = kept;
  const addresses = { metadataUrl: null, idpSsoUrl, idpLogoutUrl, idpLogoutResponseUrl };
  return { ...addresses, idpEntityId, idpCertificates, certificateExpiresAt, metadataValidUntil, idpWantsSigned };
}

function sourceOf(metadataUrl: string | null, provider: SamlMetadata): Source {
  return {
    metadataUrl,
    idpEntityId: provider.entityId,
    idpSsoUrl: provider.ssoUrl,
    idpLogoutUrl: provider.logoutUrl,
    idpLogoutResponseUrl: provider.logoutResponseUrl,
    idpCertificates: [...provider.certificates],
    certificateExpiresAt: provider.certificateExpiresAt,
    metadataValidUntil: provider.validUntil,
    idpWantsSigned: provider.wantsSignedRequests,
  };
}

const NO_SECRET = { clientSecretSealed: null, secretKeyId: null };
const NOTHING = {
  issuer: null,
  oidcClientId: null,
  metadataUrl: null,
  idpEntityId: null,
  idpSsoUrl: null,
  idpLogoutUrl: null,
  idpLogoutResponseUrl: null,
  idpCertificates: null,
  certificateExpiresAt: null,
  metadataValidUntil: null,
  idpWantsSigned: false,
  vouchesForEmails: false,
  allowsSha1: false,
  signsRequests: false,
  logsOut: false,
};

/** Whether the provider still knows what it called its sessions. */
function isSameProvider(
  before: ConnectionRow | undefined,
  after: Pick<ConnectionValues, 'issuer' | 'oidcClientId' | 'idpEntityId'>,
): boolean {
  return before?.issuer === after.issuer && before.oidcClientId === after.oidcClientId && before.idpEntityId === after.idpEntityId;
}

async function guardAddress(deps: SsoDeps, field: string, url: string): Promise<void> {
  await deps.fetch.check(url).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason !== 'private_address') return refuseField(field, error.reason, error.message);
    return refuse('private_address', { detail: error.message, errors: [{ field, code: 'private_address', message: error.message }] });
  });
}

function refuseProvider(field: string, error: unknown): never {
  if (!(error instanceof OidcFault) && !(error instanceof SamlFault)) throw error;
  if (error.kind === 'busy') return refuse('service_unavailable', { detail: error.message, retryAfterSeconds: 10, cause: error });
  const message =
    error.kind === 'unreachable'
      ? `Your provider could not be read: ${error.message}`
      : `This is not a provider we can work with: ${error.message}`;
  return refuseField(field, error.kind === 'unreachable' ? 'unreachable' : 'invalid_provider', message);
}
