export type Passage = { heading: string; content: string };

const WANTED = 1_000;
const MOST = 1_200;
const HEADING_MAX = 160;
const SENTENCE_END = /(?<=[.!?…])\s+|(?<=[。！？])/u;

/**
 * Cuts a text into passages of about a thousand characters, at headings, paragraphs and sentences, each with the heading above it. Nothing of the
 * text is lost but white space.
 */
export function cutPassages(text: string): Passage[] {
  const passages: Passage[] = [];
  for (const { heading, paragraphs } of sectionsOf(text)) {
    let content = '';
    const flush = (): void => {
      if (content !== '') passages.push({ heading, content });
      content = '';
    };
    for (const part of paragraphs.flatMap((paragraph) => pieces(paragraph, SENTENCE_END))) {
      if (content !== '' && content.length + part.length + 2 > WANTED) flush();
      content = content === '' ? part : `${content}\n\n${part}`;
    }
    flush();
  }
  return passages;
}

type Block = { line: string; isHeading: boolean; isMarked: boolean };
type Section = { heading: string; paragraphs: string[] };

function sectionsOf(text: string): Section[] {
  const blocks = text
    .replace(/\r\n?|[\u2028\u2029\f\v]/g, '\n')
    .split(/\n[^\S\n]*\n+/)
    .flatMap(splitHeadings)
    .filter(({ line }) => line !== '');
  const sections: Section[] = [];
  for (const { line, isHeading, isMarked } of blocks) {
    const last = sections.at(-1);
    const isBelowHeading = last?.paragraphs.length === 0;
    // An unmarked line right below a heading is its text.
    if (isHeading && (isMarked || !isBelowHeading)) {
      const both = last && isBelowHeading ? `${last.heading} › ${line}` : line;
      // A heading right below another one is one of its parts. If the two are too long together, the upper one is a passage of its own.
      if (last && isBelowHeading && both.length <= HEADING_MAX) last.heading = both;
      else sections.push({ heading: line, paragraphs: [] });
    } else if (last) last.paragraphs.push(line);
    else sections.push({ heading: '', paragraphs: [line] });
  }
  // A heading with nothing below it is all that the text says there.
  return sections.map((section) => (section.paragraphs.length === 0 ? { heading: '', paragraphs: [section.heading] } : section));
}

/** Takes the marked headings out of a block of lines; a block of one short line without a full stop is one as well. */
function splitHeadings(block: string): Block[] {
  const lines = block.split('\n').map((line) => line.trim());
  const parts: Block[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    const line = paragraph.join('\n').trim();
    if (line !== '') parts.push({ line, isHeading: parts.length === 0 && lines.length === 1 && isTitle(line), isMarked: false });
    paragraph = [];
  };
  for (const line of lines) {
    const marked = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (marked !== undefined && marked.length <= HEADING_MAX) {
      flush();
      parts.push({ line: marked, isHeading: true, isMarked: true });
    } else paragraph.push(line);
  }
  flush();
  return parts;
}

const isTitle = (line: string): boolean =>
  line.length <= 60 && !/[.!?…。！？,;]$/u.test(line) && /^\p{L}\P{N}*$/u.test(line) && !line.includes(': ');

/** Returns a text in pieces that are not too long, cut at sentences, then words, then anywhere. */
function pieces(text: string, separator: RegExp): string[] {
  if (text.length <= MOST) return [text];
  const isLast = separator === ANYWHERE;
  const finer = separator === SENTENCE_END ? /\s+/u : ANYWHERE;
  const result: string[] = [];
  let current = '';
  for (const part of isLast ? chunks(text) : text.split(separator).flatMap((one) => pieces(one, finer))) {
    if (current !== '' && current.length + part.length + 1 > MOST) {
      result.push(current);
      current = '';
    }
    current = current === '' || isLast ? current + part : `${current} ${part}`;
  }
  if (current !== '') result.push(current);
  return result;
}

const ANYWHERE = /(?!)/u;

/** Cuts between characters, never inside one. */
function chunks(text: string): string[] {
  const characters = [...text];
  const size = WANTED / 2;
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, n) => characters.slice(n * size, (n + 1) * size).join(''));
}
