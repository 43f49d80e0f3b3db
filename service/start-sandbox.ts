import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startSandbox } from '@partner-portal/sandbox/index.ts';
import type { DatabaseAddress } from '#platform/db/host.ts';

export type RunningSandbox = {
  url: string;
  /** The address differs from the last start's: connections that carry the old one have to be written again. */
  moved: boolean;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
const PORT_FILE = 'sandbox-port';

/** Starts the provider sandbox on the port it had last time, because bound connections carry its address; on another one when that is taken. */
export async function startProviderSandbox(dataDir: string, address: DatabaseAddress): Promise<RunningSandbox> {
  const file = join(dataDir, PORT_FILE);
  const last = Number(await readFile(file, 'utf8').catch(() => '0'));
  const wanted = last > 0 && (await isFree(last)) ? last : 0;
  const sandbox = await startSandbox({ pg: address, host: HOST, port: wanted });
  if (sandbox.port !== last) await writeFile(file, String(sandbox.port));
  return { url: `http://${HOST}:${sandbox.port}`, moved: last > 0 && sandbox.port !== last, close: () => sandbox.close() };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });
}
