import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { DEMO, signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { type PageLoad, watchLoad } from '@partner-portal/tests/harness/page-load.ts';
import { startSystem, until } from '@partner-portal/tests/harness/system.ts';

const ROUNDS = 5;
const PASSWORD = 'portal-bench-login';
/** A middling phone, as Lighthouse has it: 4 times slower, 150 ms to the server, 1.6 Mbit/s. */
const SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 };
const SIZE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

type Figures = PageLoad & { firstPaint: number; largestPaint: number; heading: number };

/**
 * Opens the login, the overview and a run in Chromium with nothing in its cache, and prints what each loads, and when it paints on a throttled
 * phone: the first pixel, the largest part, the heading with its data. Each figure is the median of the rounds.
 */
export async function benchPortal(say: (line: string) => void): Promise<void> {
  const system = await startSystem({ args: [], env: { SEED_ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn' } });
  const executablePath = readFileSync(join(import.meta.dirname, '..', '..', 'node_modules', '.chromium'), 'utf8').trim();
  const browser = await chromium.launch({ executablePath });
  try {
    let runId = '';
    await until('the demo has a run that ended', async () => {
      const owner = await signIn(system.baseUrl, DEMO.owner.email, PASSWORD).catch(() => undefined);
      const { data } = (await owner?.listExecutions({ query: { limit: 100 } })) ?? { data: [] };
      runId = data.find(({ status }) => status !== 'RUNNING')?.id ?? '';
      return data.length >= 7 && data.every(({ status }) => status !== 'RUNNING');
    });
    const session = await logIn(system.baseUrl);
    const pages = { login: ['/login', null], overview: ['/dashboard', session], run: [`/dashboard/runs/${runId}`, session] } as const;
    for (const [name, [path, own]] of Object.entries(pages)) {
      const rounds: Figures[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await open(browser, system.baseUrl, path, own));
      say(`${name.padEnd(9)} ${describe(rounds)}`);
    }
  } finally {
    await browser.close();
    await system.stop();
  }
}

/** The reply to a login, as the portal keeps it. */
async function logIn(baseUrl: string): Promise<string> {
  const body = JSON.stringify({ email: DEMO.owner.email, password: PASSWORD });
  const reply = await fetch(`${baseUrl}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return reply.text();
}

async function open(browser: Browser, baseUrl: string, path: string, session: string | null): Promise<Figures> {
  const context = await browser.newContext({ ...SIZE, baseURL: baseUrl });
  try {
    const page = await context.newPage();
    if (session !== null) await page.addInitScript(`sessionStorage.setItem('portal.session', ${JSON.stringify(session)})`);
    await page.addInitScript(WATCH);
    const { cdp, read } = await watchLoad(page);
    await cdp.send('Network.emulateNetworkConditions', NETWORK);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.goto(path);
    await page.locator('#root h1').first().waitFor({ timeout: 120_000 });
    await quiet(page, read);
    const paints = (await page.evaluate('window.paints')) as { first: number; largest: number; heading: number }; // made by WATCH
    return { ...read(), firstPaint: paints.first, largestPaint: paints.largest, heading: paints.heading };
  } finally {
    await context.close();
  }
}

/** Until nothing more has come for two seconds; an event stream never ends. */
async function quiet(page: Page, read: () => PageLoad): Promise<void> {
  for (let before = -1; read().bytes !== before;) {
    before = read().bytes;
    await page.waitForTimeout(2000);
  }
}

const WATCH = `
  window.paints = { first: 0, largest: 0, heading: 0 };
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint' || name === 'first-paint') paints.first ||= startTime;
  }).observe({ type: 'paint', buffered: true });
  new PerformanceObserver((list) => { paints.largest = list.getEntries().at(-1).startTime; }).observe({ type: 'largest-contentful-paint', buffered: true });
  new MutationObserver((_, watch) => {
    if (document.querySelector('#root h1')) { paints.heading = performance.now(); watch.disconnect(); }
  }).observe(document, { childList: true, subtree: true });
`;

function describe(rounds: readonly Figures[]): string {
  const median = (of: (round: Figures) => number): number => rounds.map(of).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
  const kilobytes = (of: (round: Figures) => number): string => `${(median(of) / 1000).toFixed(1)} KB`;
  const ms = (of: (round: Figures) => number): string => `${median(of).toFixed(0)} ms`;
  return [
    `${median(({ requests }) => requests)} requests`,
    `${kilobytes(({ bytes }) => bytes)} (script ${kilobytes(({ scriptBytes }) => scriptBytes)})`,
    `first paint ${ms(({ firstPaint }) => firstPaint)}`,
    `heading ${ms(({ heading }) => heading)}`,
    `largest ${ms(({ largestPaint }) => largestPaint)}`,
  ].join(', ');
}
