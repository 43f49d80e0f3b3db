import type { Branding } from './render-html.ts';
import type { Block, Content } from './texts/content.ts';

const WIDTH = 76;

/** Renders the plain-text part: paragraphs, each link on its own line. */
export function renderText({ heading, blocks, reason }: Content, { partnerName, supportEmail, t }: Branding): string {
  const foot = [partnerName, ...(supportEmail === null ? [] : [`${t('mail.questions')} ${supportEmail}`])].join('\n');
  const parts = [`${heading}\n${'='.repeat(Math.min(heading.length, WIDTH))}`, ...blocks.map(blockText), '-- ', foot, wrap(reason)];
  return `${parts.join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'small':
      return wrap(block.text);
    case 'quote':
      return wrap(block.text, WIDTH - 2)
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n');
    case 'action':
    case 'link':
      return `${block.label}:\n${block.url}`;
    case 'items':
      return block.items
        .map(({ title, body, at, url }) =>
          [`* ${title}`, ...(body === '' ? [] : [wrap(body)]), at, ...(url === null ? [] : [url])].join('\n'),
        )
        .join('\n\n');
  }
}

/** Breaks long lines between words; a longer word (an address) stays whole. */
function wrap(text: string, width = WIDTH): string {
  return text
    .split('\n')
    .map((line) => {
      const lines: string[] = [''];
      for (const word of line.split(' ')) {
        const last = lines.at(-1) ?? '';
        if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
      }
      return lines.join('\n');
    })
    .join('\n');
}
