import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';

/**
 * Takes the pictures of the landing page from a running quick start, in both themes:
 *
 *     node tests/pictures/take.ts http://localhost:3000 <password of the demo users> [name of a picture …]
 *
 * They are files of the repository, so that the page shows the product as it is without a running one; take them again when a page that they show has changed.
 */
const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'portal', 'landing', 'pictures');
/** Height of the bar that names the sandbox, which only a quick start has. */
const SANDBOX_BAR = 28;
const [address = 'http://localhost:3000', password = '', ...only] = process.argv.slice(2);

type Picture = {
  name: string;
  email: string;
  path: string;
  size: { width: number; height: number };
  /** Brings the page to what the picture shows. */
  prepare?: (page: Page) => Promise<void>;
};

const AGENCY = 'maya@northwind.example';
const CLIENT = 'elena@oakstreet.example';
const WINDOW = { width: 1000, height: 640 };
const PICTURES: readonly Picture[] = [
  { name: 'runs', email: AGENCY, path: '/dashboard/runs?started=7d', size: WINDOW },
  { name: 'client', email: CLIENT, path: '/client', size: { width: 390, height: 640 } },
  { name: 'run', email: AGENCY, path: '/dashboard/runs?started=today', size: WINDOW, prepare: openTextedRun },
  { name: 'inbox', email: AGENCY, path: '/dashboard/inbox', size: WINDOW, prepare: openConversation },
  { name: 'report', email: CLIENT, path: '/client/report', size: WINDOW },
];

async function openTextedRun(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^Texted / })
    .last()
    .click();
  await page.waitForURL(/\/dashboard\/runs\/./);
}

async function openConversation(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /With Elena Ruiz/ })
    .first()
    .click();
}

async function take(browser: Browser, { name, email, path, size, prepare }: Picture, theme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { ...size, height: size.height + SANDBOX_BAR },
    deviceScaleFactor: 2,
    colorScheme: theme,
    timezoneId: 'America/Chicago',
  });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  await page.goto(path);
  await settle(page);
  await prepare?.(page);
  await settle(page);
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide', clip: { x: 0, y: SANDBOX_BAR, ...size } });
  const isPhone = size.width < 500;
  await save(png, `${name}-${theme}`, Math.round(size.width * (isPhone ? 1.2 : 1.4)));
  // What a phone shows of a window.
  if (!isPhone) await save(png, `${name}-${theme}-small`, Math.round(size.width * 0.7));
  await context.close();
}

async function save(png: Buffer, name: string, width: number): Promise<void> {
  const image = sharp(png).resize({ width });
  await writeFile(join(FOLDER, `${name}.avif`), await image.clone().avif({ quality: 50 }).toBuffer());
  await writeFile(join(FOLDER, `${name}.webp`), await image.clone().webp({ quality: 70 }).toBuffer());
}

/** There is no condition that all pages share. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.waitForTimeout(3_000);
}

await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: (await readFile(join(ROOT, 'node_modules', '.chromium'), 'utf8')).trim() });
for (const picture of PICTURES.filter(({ name }) => only.length === 0 || only.includes(name)))
  for (const theme of ['light', 'dark'] as const) await take(browser, picture, theme);
await browser.close();
