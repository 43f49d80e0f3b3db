import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { OWN_CERTIFICATE, OWN_KEY } from './saml-keys.ts';
import { until } from './system.ts';
import { spawnProvider } from './debian-provider.ts';

const HOME = '/usr/share/simplesamlphp';
const PHP = '/usr/bin/php';

export const SIMPLESAML_PACKAGES = ['simplesamlphp', 'php-cli', 'php-xml', 'php-mbstring', 'php-curl'];
/** Whether those packages of Debian are installed. */
export const hasSimpleSaml =
  existsSync(`${HOME}/www/module.php`) && existsSync(PHP) && /^dom$/m.test(execFileSync(PHP, ['-m'], { encoding: 'utf8' }));

/** SimpleSAMLphp as Debian ships it, with its defaults: only an identity provider is added, and one person who is logged in at once. */
export type SimpleSaml = {
  metadataUrl: string;
  /** Adds a service provider, as its own converter reads the metadata; `changes` are members of the entry, in PHP. */
  add(metadata: string, changes?: string): Promise<void>;
  close(): Promise<void>;
};

export async function startSimpleSaml(person: { mail: string }): Promise<SimpleSaml> {
  const folder = await mkdtemp(join(tmpdir(), 'simplesamlphp-'));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  for (const name of ['metadata', 'cert', 'log', 'data', 'sessions']) await mkdir(join(folder, name));
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  await write('cert/server.pem', OWN_KEY);
  await write('cert/server.crt', OWN_CERTIFICATE);
  await write(
    'config.php',
    `<?php
require '/etc/simplesamlphp/config.php';
$config = array_merge($config, [
  'baseurlpath' => '${base}/',
  'certdir' => '${folder}/cert/',
  'loggingdir' => '${folder}/log/',
  'logging.handler' => 'file',
  'datadir' => '${folder}/data/',
  'tempdir' => '${folder}/data/',
  'metadatadir' => '${folder}/metadata',
  'session.phpsession.savepath' => '${folder}/sessions',
  'secretsalt' => 'a salt of the tests',
  'auth.adminpassword' => 'a password of the tests',
  'technicalcontact_email' => 'idp@portal.test',
  'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true],
  'session.cookie.secure' => false,
  'trusted.url.domains' => ['portal.test'],
]);
`,
  );
  await write(
    'authsources.php',
    `<?php $config = ['person' => ['exampleauth:StaticSource', 'uid' => ['owner'], 'mail' => ['${person.mail}']]];`,
  );
  await write(
    'metadata/saml20-idp-hosted.php',
    `<?php $metadata['__DYNAMIC:1__'] = ['host' => '__DEFAULT__', 'privatekey' => 'server.pem', 'certificate' => 'server.crt', 'auth' => 'person'];`,
  );
  await write('metadata/saml20-sp-remote.php', '<?php');
  const env = { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder };
  // The cache of compiled files would serve metadata that `add` has replaced for two more seconds.
  const server = spawnProvider(PHP, ['-d', 'opcache.enable=0', '-S', `127.0.0.1:${port}`, '-t', `${HOME}/www`], env);
  const metadataUrl = `${base}/saml2/idp/metadata.php`;
  await until('SimpleSAMLphp answers', async () => (await fetch(metadataUrl).catch(() => null))?.status === 200);
  return {
    metadataUrl,
    async add(metadata, changes = '') {
      await write('sp.xml', metadata);
      const convert = `require '${HOME}/lib/_autoload.php';
        $entry = SimpleSAML\\Metadata\\SAMLParser::parseString(file_get_contents('${folder}/sp.xml'))->getMetadata20SP();
        $entry = array_merge($entry, [${changes}]);
        echo '<?php $metadata[' . var_export($entry['entityid'], true) . '] = ' . var_export($entry, true) . ';';`;
      const { stdout } = await promisify(execFile)(PHP, ['-r', convert], { env });
      await write('metadata/saml20-sp-remote.php', stdout);
    },
    async close() {
      server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
