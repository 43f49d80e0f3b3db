import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startSandbox } from '@partner-portal/sandbox/index.ts';
import { Secret } from '#platform/secret.ts';
import type { DatabaseAddress } from '#platform/db/host.ts';

export type RunningSandbox = {
  url: string;
  /** Bearer of this start, for reading calls and adding receivers. Also in `sandbox-token` of the data folder, for this account only. */
  token: Secret;
  /** True when the address differs from that of the last start: connections that contain the old one must be rewritten. */
  moved: boolean;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
const PORT_FILE = 'sandbox-port';
const TOKEN_FILE = 'sandbox-token';

/**
 * Starts the provider sandbox on its previous port, because bound connections contain its address, or on another when that port is taken.
 * `portalUrl`: of the portal whose widget the demo website carries.
 */
export async function startProviderSandbox(dataDir: string, address: DatabaseAddress, portalUrl?: string): Promise<RunningSandbox> {
  // With a database elsewhere nothing else has made it.
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, PORT_FILE);
  const last = Number(await readFile(file, 'utf8').catch(() => '0'));
  const port = last > 0 && (await isFree(last)) ? last : 0;
  const sandbox = await startSandbox({ pg: address, host: HOST, port, ...(portalUrl === undefined ? {} : { portalUrl }) });
  if (sandbox.port !== last) await writeFile(file, String(sandbox.port));
  // Removed first: the mode counts for a new file only.
  await rm(join(dataDir, TOKEN_FILE), { force: true });
  await writeFile(join(dataDir, TOKEN_FILE), sandbox.token, { mode: 0o600, flag: 'wx' });
  const url = `http://${HOST}:${sandbox.port}`;
  return { url, token: new Secret(sandbox.token), moved: last > 0 && sandbox.port !== last, close: () => sandbox.close() };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });
}
