import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startSandbox } from '@partner-portal/sandbox/index.ts';
import type { DatabaseAddress } from '#platform/db/host.ts';

export type RunningSandbox = {
  url: string;
  /** True when the address differs from that of the last start: connections that contain the old one must be rewritten. */
  moved: boolean;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
const PORT_FILE = 'sandbox-port';

/** Starts the provider sandbox on its previous port, because bound connections contain its address, or on another when that port is taken. */
export async function startProviderSandbox(dataDir: string, address: DatabaseAddress): Promise<RunningSandbox> {
  const file = join(dataDir, PORT_FILE);
  const last = Number(await readFile(file, 'utf8').catch(() => '0'));
  const port = last > 0 && (await isFree(last)) ? last : 0;
  const sandbox = await startSandbox({ pg: address, host: HOST, port });
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
