import type { Browser } from '@playwright/test';

const LATENCY_MS = 500;
const CPU_RATE = 4;

/** Gives every page a weak machine and a slow line: what works only because it is quick shows itself. */
export function slowDown(browser: Browser): void {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    await context.route(
      ({ pathname }) => !pathname.startsWith('/assets/'),
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
        // The page may be gone by now.
        await route.continue().catch(() => undefined);
      },
    );
    context.on('page', async (page) => {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
    });
    return context;
  };
}
