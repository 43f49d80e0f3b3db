import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'flow-address';

/**
 * Returns the address of this service that the flows of its embedded engine contain: the one of the first start, also when the service has another
 * port by now. Flows stay as they are, and the engine connects to where the service is.
 */
export async function keepFlowAddress(dataDir: string, current: string): Promise<string> {
  const file = join(dataDir, FILE);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (/^http:\/\/127\.0\.0\.1:\d+$/.test(kept)) return kept;
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, current);
  return current;
}
