import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { OWN_CERTIFICATE, OWN_KEY } from './saml-keys.ts';
import { until } from './system.ts';
import { spawnProvider } from './debian-provider.ts';

const PROGRAM = '/usr/bin/plackup';
const PORTAL = '/usr/share/lemonldap-ng/portal/htdocs/index.psgi';
/** What its issuers load when they start. */
const MODULES = [
  'perl5/IO/String.pm',
  'perl5/XML/Simple.pm',
  'perl5/String/Random.pm',
  'perl5/GD/SecurityImage.pm',
  'doc/liblasso-perl',
  'doc/libimage-magick-perl',
];

export const LEMONLDAP_PACKAGES = [
  'lemonldap-ng',
  'liblasso-perl',
  'libio-string-perl',
  'libxml-simple-perl',
  'libstring-random-perl',
  'libgd-securityimage-perl',
  'libimage-magick-perl',
];
/** Whether those packages of Debian are installed. */
export const hasLemonLdap = [PROGRAM, PORTAL, ...MODULES.map((path) => `/usr/share/${path}`)].every((path) => existsSync(path));

/** LemonLDAP::NG as Debian ships it, as a provider of both protocols, with one person who is logged in at once. */
export type LemonLdap = {
  issuer: string;
  metadataUrl: string;
  /** Restarts it with our SAML metadata, or with other options of the client of OpenID Connect. */
  configure(changes: Changes): Promise<void>;
  close(): Promise<void>;
};

type Changes = { metadata?: string; client?: object };
type Client = { clientId: string; clientSecret: string; redirectUri: string };

export async function startLemonLdap(client: Client, person: { mail: string }): Promise<LemonLdap> {
  const folder = await mkdtemp(join(tmpdir(), 'lemonldap-'));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  for (const name of ['conf', 'cache', 'sessions/lock', 'psessions/lock']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'lemonldap-ng.ini'), settingsOf(folder));
  const env = { ...process.env, LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini') };
  let server: ReturnType<typeof spawnProvider> | null = null;
  const stop = async (): Promise<void> => {
    server?.kill();
    await until('LemonLDAP::NG has ended', () => server === null || server.exitCode !== null || server.signalCode !== null);
    for (const name of ['cache', 'sessions/lock']) await rm(join(folder, name), { recursive: true, force: true });
    for (const name of ['cache', 'sessions/lock']) await mkdir(join(folder, name), { recursive: true });
  };
  const configure: LemonLdap['configure'] = async (changes) => {
    await stop();
    await writeFile(join(folder, 'conf/lmConf-1.json'), JSON.stringify(configurationOf({ folder, base, client, person }, changes)));
    server = spawnProvider(PROGRAM, ['-E', 'production', '--host', '127.0.0.1', '-p', String(port), PORTAL], env);
    await until('LemonLDAP::NG answers', async () => (await fetch(`${base}/saml/metadata`).catch(() => null)) !== null);
    assert.equal((await fetch(`${base}/saml/metadata`)).status, 200, 'it takes its configuration');
  };
  await configure({});
  return {
    issuer: base,
    metadataUrl: `${base}/saml/metadata`,
    configure,
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function settingsOf(folder: string): string {
  return `[all]
logLevel = error
checkTime = 1
logger = Lemonldap::NG::Common::Logger::Std
[configuration]
type=File
dirName = ${folder}/conf
localStorage=Cache::FileCache
localStorageOptions={'namespace'=>'conf','default_expires_in'=>600,'cache_root'=>'${folder}/cache','cache_depth'=>3}
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`;
}

type Given = { folder: string; base: string; client: Client; person: { mail: string } };

function configurationOf({ folder, base, client, person }: Given, changes: Changes): object {
  const store = (name: string) => ({
    Directory: `${folder}/${name}`,
    LockDirectory: `${folder}/${name}/lock`,
    generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
  });
  const cache = { cache_depth: 3, cache_root: `${folder}/cache`, default_expires_in: 600, namespace: 'sessions' };
  return {
    cfgNum: 1,
    cfgVersion: '2.16.1',
    cfgAuthor: 'the tests',
    cfgDate: '1',
    exportedVars: {},
    exportedHeaders: {},
    groups: {},
    locationRules: {},
    timeout: 3_600,
    portal: `${base}/`,
    domain: '127.0.0.1',
    cookieName: 'lemonldap',
    securedCookie: 0,
    authentication: 'Null',
    userDB: 'Null',
    passwordDB: 'Null',
    registerDB: 'Null',
    macros: { _whatToTrace: `'owner'`, mail: `'${person.mail}'`, verified: '1' },
    whatToTrace: '_whatToTrace',
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: store('sessions'),
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: store('psessions'),
    localSessionStorage: 'Cache::FileCache',
    localSessionStorageOptions: cache,
    ...oidcOf(base, client, changes.client ?? {}),
    ...samlOf(changes.metadata),
  };
}

function oidcOf(base: string, client: Client, options: object): object {
  return {
    issuerDBOpenIDConnectActivation: 1,
    oidcServiceMetaDataIssuer: base,
    oidcServicePrivateKeySig: OWN_KEY,
    oidcServicePublicKeySig: createPublicKey(OWN_KEY).export({ type: 'spki', format: 'pem' }),
    oidcServiceKeyIdSig: 'key',
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcRPMetaDataOptions: {
      portal: {
        oidcRPMetaDataOptionsClientID: client.clientId,
        oidcRPMetaDataOptionsClientSecret: client.clientSecret,
        oidcRPMetaDataOptionsRedirectUris: client.redirectUri,
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsBypassConsent: 1,
        oidcRPMetaDataOptionsUserIDAttr: 'mail',
        ...options,
      },
    },
    oidcRPMetaDataExportedVars: { portal: { email: 'mail', email_verified: 'verified;bool;never' } },
  };
}

function samlOf(metadata: string | undefined): object {
  const service = metadata && {
    samlSPMetaDataXML: { portal: { samlSPMetaDataXML: metadata } },
    samlSPMetaDataExportedAttributes: { portal: { mail: '1;mail;;' } },
    samlSPMetaDataOptions: {
      portal: {
        samlSPMetaDataOptionsSignSSOMessage: 1,
        samlSPMetaDataOptionsCheckSSOMessageSignature: 1,
        samlSPMetaDataOptionsSignSLOMessage: 1,
        samlSPMetaDataOptionsCheckSLOMessageSignature: 1,
      },
    },
  };
  return {
    issuerDBSAMLActivation: 1,
    samlEntityID: '#PORTAL#/saml/metadata',
    samlServicePrivateKeySig: OWN_KEY,
    samlServicePublicKeySig: OWN_CERTIFICATE,
    samlServiceSignatureMethod: 'RSA_SHA256',
    ...service,
  };
}
