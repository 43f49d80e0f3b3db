import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { GLEWLWYD_PACKAGES, hasGlewlwyd } from '../../tests/harness/glewlwyd.ts';
import { hasLemonLdap, LEMONLDAP_PACKAGES } from '../../tests/harness/lemonldap.ts';
import { hasSimpleSaml, SIMPLESAML_PACKAGES } from '../../tests/harness/simplesamlphp.ts';
import { print } from './report.ts';

const PROVIDERS = [
  { file: 'sso-glewlwyd.test.ts', packages: GLEWLWYD_PACKAGES, isInstalled: hasGlewlwyd },
  { file: 'sso-lemonldap.test.ts', packages: LEMONLDAP_PACKAGES, isInstalled: hasLemonLdap },
  { file: 'sso-simplesamlphp.test.ts', packages: SIMPLESAML_PACKAGES, isInstalled: hasSimpleSaml },
];

/**
 * Installs the identity providers that the chosen test files try, where a run may change its machine: TEST_INSTALL=true, or TEST_FULL=true in
 * CI, as root with apt-get. Elsewhere, and when it fails, their tests are skipped with a line that names the packages.
 */
export function installProviders(testFiles: readonly string[], env: NodeJS.ProcessEnv): void {
  const mayInstall = env['TEST_INSTALL'] === 'true' || (env['TEST_FULL'] === 'true' && env['CI'] === 'true');
  const names = new Set(testFiles.map((path) => basename(path)));
  const packages = PROVIDERS.filter(({ file, isInstalled }) => names.has(file) && !isInstalled).flatMap((one) => one.packages);
  if (!mayInstall || packages.length === 0 || process.getuid?.() !== 0) return;
  const apt = (args: readonly string[]): boolean =>
    spawnSync('apt-get', args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  print(`Installing ${packages.join(' ')}`);
  if (!apt(['update']) || !apt(['install', '--yes', '--no-install-recommends', ...packages]))
    print('apt-get failed: the tests of these providers are skipped.');
}
