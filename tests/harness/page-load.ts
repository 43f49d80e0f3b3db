import type { CDPSession, Page } from '@playwright/test';

/** What a page loaded: how many requests, and how many bytes came over the wire, of scripts and in all. */
export type PageLoad = { requests: number; scriptBytes: number; bytes: number };

/** Counts what a page loads from now on, without the event streams that stay open. */
export async function watchLoad(page: Page): Promise<{ cdp: CDPSession; read: () => PageLoad }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const types = new Map<string, string>();
  const done = new Map<string, number>();
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (response.mimeType !== 'text/event-stream' && !response.url.startsWith('data:')) types.set(requestId, type);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => done.set(requestId, encodedDataLength));
  const sum = (isWanted: (type: string) => boolean): number =>
    [...types].reduce((total, [id, type]) => total + (isWanted(type) ? (done.get(id) ?? 0) : 0), 0);
  return {
    cdp,
    read: () => ({ requests: types.size, scriptBytes: sum((type) => type === 'Script'), bytes: sum(() => true) }),
  };
}
