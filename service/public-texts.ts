import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import markdown from 'markdown-it';
import type { TextPage } from '#platform/http/text-page.ts';
import { StartError } from '#platform/start-error.ts';

/** The texts that come with the service. */
const DEFAULTS = join(import.meta.dirname, 'public-texts');
const NAMES = ['terms', 'privacy'] as const;
const BYTES_MAX = 256 * 1024;

/** Values of `{{…}}` in a text, in plain text. */
export type TextValues = { operator: string; address: string; contact: string };

/** The values of the company that issues invoices, and plain words where it is not named. */
export function textValues(seller: { name: string | null; address: string | null; email: string | null }): TextValues {
  return {
    operator: seller.name ?? 'the operator of this portal',
    address: seller.address ?? '',
    contact: seller.email ?? 'Reply to any mail of this portal.',
  };
}

// Tags are shown as they are written, and links lead to web, mail and phone addresses only.
const renderer = markdown({ html: false, breaks: true });

/**
 * Reads the terms and the privacy page as Markdown: `terms.md` and `privacy.md` of `folder`, and the default for each that is not there.
 *
 * @throws `StartError` for a file that cannot be read or is too large.
 */
export async function readPublicTexts(folder: string | undefined, values: TextValues): Promise<TextPage[]> {
  return Promise.all(NAMES.map(async (name) => renderText(`/${name}`, await readText(folder, `${name}.md`), values)));
}

async function readText(folder: string | undefined, file: string): Promise<string> {
  const own = folder === undefined ? undefined : await readFile(join(folder, file), 'utf8').catch(orMissing);
  const text = own ?? (await readFile(join(DEFAULTS, file), 'utf8'));
  if (Buffer.byteLength(text) > BYTES_MAX) throw new StartError(`${file} in PUBLIC_TEXTS_DIR is larger than ${BYTES_MAX / 1024} KiB.`);
  return text;
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw new StartError(`A text in PUBLIC_TEXTS_DIR cannot be read: ${error.message}`, { cause: error });
}

function renderText(path: string, text: string, values: TextValues): TextPage {
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    name in values ? escapeMarkdown(values[name as keyof TextValues]) : whole,
  );
  const tokens = renderer.parse(filled, {});
  const at = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1');
  const title = at < 0 ? (path === '/terms' ? 'Terms' : 'Privacy') : (tokens[at + 1]?.content ?? '');
  return { path, title, html: renderer.render(filled) };
}

/** A name may hold what Markdown reads as a sign. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|<>~.-]/g, (sign) => `\\${sign}`);
}
