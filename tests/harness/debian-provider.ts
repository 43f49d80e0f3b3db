import { type ChildProcess, spawn } from 'node:child_process';

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

/** Starts a provider's server. It ends with this process at the latest and keeps it from ending in no case, such as when its start is refused. */
export function spawnProvider(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const server = spawn(program, args, { env, stdio: 'ignore' });
  server.unref();
  process.once('exit', () => server.kill());
  return server;
}
