/**
 * Returns why the tests of an identity provider of Debian are skipped, which it also writes where skipped tests are only counted; false when
 * they run. `scripts/testing/debian-providers.ts` installs them where a test run may.
 */
export function whyNotTried(name: string, packages: readonly string[], isInstalled: boolean): string | false {
  if (isInstalled) return false;
  const line = `${name} was NOT tried: apt-get install --no-install-recommends ${packages.join(' ')}`;
  process.stderr.write(`${line}\n`);
  return line;
}
