/**
 * Reads what language models mark up: paragraphs, lists, bold words, code and addresses. The result is data to build elements from, never HTML,
 * and an address is shown as it is, so that no link leads elsewhere than it says.
 */

export type Part = { kind: 'text' | 'strong' | 'code'; text: string } | { kind: 'link'; text: string; href: string };
/** `number`: what a line of a numbered list begins with, as it is written: "24. December" is no first item. */
type Line = { number: number | null; parts: Part[] };
export type Block = { kind: 'text' | 'bullets' | 'numbers'; lines: Line[] };

const BULLET = /^\s*[-*•]\s+/;
const NUMBER = /^\s*\d{1,2}[.)]\s+/;
const HEADING = /^#{1,4}\s+/;
const INLINE = /\*\*(?<bold>[^*\n]+)\*\*|`(?<code>[^`\n]+)`|\[(?<label>[^\]\n]+)\]\((?<target>https?:\/\/(?:[^\s()]|\([^\s()]*\))+)\)/g;
// A mail address is searched for from the start of its word only: from each letter of a long word, the search would be quadratic.
const ADDRESS =
  /https?:\/\/(?:[^\s<>"'()\]]|\([^\s<>"'()\]]*\))*(?:[^\s<>"'()\].,;:!?]|\([^\s<>"'()\]]*\))|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/** Cuts a text into paragraphs and lists. Lists go on over blank lines. */
export function readMarkup(text: string): Block[] {
  const blocks: Block[] = [];
  let isNew = true;
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      isNew = true;
      continue;
    }
    const kind = BULLET.test(line) ? 'bullets' : NUMBER.test(line) ? 'numbers' : 'text';
    const parts = readInline(line.replace(kind === 'bullets' ? BULLET : kind === 'numbers' ? NUMBER : HEADING, ''));
    const read = { number: kind === 'numbers' ? Number.parseInt(line, 10) : null, parts };
    const last = blocks.at(-1);
    if (last?.kind === kind && (!isNew || kind !== 'text')) last.lines.push(read);
    else blocks.push({ kind, lines: [read] });
    isNew = false;
  }
  return blocks;
}

function readInline(line: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of line.matchAll(INLINE)) {
    parts.push(...linkAddresses(line.slice(end, match.index)));
    const { bold, code, label, target = '' } = match.groups ?? {};
    if (bold !== undefined) parts.push({ kind: 'strong', text: bold });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (label !== undefined) parts.push(...(label === target ? [] : [{ kind: 'text', text: `${label}: ` } as const]), toLink(target));
    end = match.index + match[0].length;
  }
  return [...parts, ...linkAddresses(line.slice(end))];
}

/** Makes links of the web and mail addresses of a text. */
export function linkAddresses(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    parts.push({ kind: 'text', text: text.slice(end, index) }, toLink(address));
    end = index + address.length;
  }
  return [...parts, { kind: 'text', text: text.slice(end) }].filter((part) => part.text !== '') as Part[]; // links have a text too
}

function toLink(address: string): Part {
  const isWeb = /^https?:/.test(address);
  const text = isWeb ? address.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '') : address;
  return { kind: 'link', text, href: isWeb ? address : `mailto:${address}` };
}
