import { formatRoughly } from '@partner-portal/core/billing/money.ts';
import { printable } from '#platform/pdf/printable.ts';
import { COLOR, MARGIN, type Sheet } from '#platform/pdf/sheet.ts';
import type { Printing } from './printing.ts';

const LOGO = { width: 140, height: 34, padding: 10 };
const COVER = { height: 290, nameSize: 30 };
const TILE_GAP = 12;
const TILE_HEIGHT = 62;
/** Results on the cover; the table behind it has all. */
const WON_BACK_MAX = 3;

/** Draws the cover's field in the agency's colour: its logo and name, then whose report it is and of which month. */
export function drawCover({ sheet, agency, client, month, title, colours }: Printing, logo: Uint8Array | null): void {
  const { root, left, width } = sheet;
  sheet.fill({ x: 0, y: 0, width: width + 2 * MARGIN, height: COVER.height }, colours.fill);
  const top = MARGIN - 10;
  if (logo) {
    // A logo is made for a light ground.
    sheet.fill({ x: left, y: top, width: LOGO.width + 2 * LOGO.padding, height: LOGO.height + 2 * LOGO.padding }, '#ffffff');
    sheet.image(logo, { x: left + LOGO.padding, y: top + LOGO.padding, width: LOGO.width, height: LOGO.height }, 'left');
  }
  const inset = logo ? LOGO.width + 2 * LOGO.padding + 16 : 0;
  sheet.text(root, 'P', agency, { x: left + inset, y: top + (logo ? 18 : 0), width: width - inset }, {
    font: 'bold',
    size: 13,
    align: logo ? 'right' : 'left',
    color: colours.on,
  }); // prettier-ignore
  const name = { font: 'bold', size: COVER.nameSize, color: colours.on, lineGap: 0 } as const;
  const y = COVER.height - 30 - sheet.heightOf(client, width, name);
  sheet.text(root, 'P', `${title} · ${month}`, { x: left, y: y - 22, width }, { font: 'medium', size: 12, color: colours.on });
  sheet.text(root, 'H1', client, { x: left, y, width }, name);
  sheet.y = COVER.height + 28;
}

/** Draws what the results are thought to be worth, and says that it is an estimate. */
export function drawWorth({ sheet, report, agency, tag, t, colours }: Printing): void {
  const { worth } = report;
  if (worth === null || worth.minor === 0) return;
  const { root, left, width } = sheet;
  sheet.y = sheet.text(root, 'H2', t('report.worthTitle'), { x: left, y: sheet.y + 6, width }, { font: 'bold', size: 13 }) + 2;
  const amount = formatRoughly(worth.minor, worth.currency, tag);
  sheet.y = sheet.text(root, 'P', amount, { x: left, y: sheet.y, width }, { font: 'bold', size: 24, color: colours.text });
  sheet.y = sheet.text(root, 'P', t('report.worthNote', { agency }), { x: left, y: sheet.y, width }, { size: 8.5, color: COLOR.quiet }) + 8;
}

/** Draws the largest results of the month, in words. */
export function drawWonBack({ sheet, report, t, number, colours }: Printing): void {
  const shown = report.results.filter(({ count }) => count > 0).slice(0, WON_BACK_MAX);
  if (shown.length === 0) return;
  const { root, left, width } = sheet;
  sheet.y = sheet.text(root, 'H2', t('report.wonBack'), { x: left, y: sheet.y + 12, width }, { font: 'bold', size: 13 }) + 4;
  for (const { count, phrase } of shown) {
    const line = sheet.tag(root, 'Sect');
    const amount = number.format(count);
    const inset = Math.max(56, sheet.widthOf(amount, { font: 'bold', size: 13 }) + 12);
    sheet.text(line, 'P', amount, { x: left, y: sheet.y, width: inset }, { font: 'bold', size: 13, color: colours.text });
    sheet.y = sheet.text(line, 'P', printable(phrase), { x: left + inset, y: sheet.y + 2.5, width: width - inset }, { size: 10.5 }) + 3;
    line.end();
  }
}

/** Draws what a customer wrote who allowed it to be quoted. */
export function drawWords({ sheet, report, t, colours }: Printing): void {
  const { words } = report;
  const text = words === null ? '' : printable(words.text);
  if (words === null || text === '') return;
  const { root, left, width } = sheet;
  const style = { font: 'medium', size: 12, lineGap: 4 } as const;
  const inset = 16;
  sheet.y = sheet.text(root, 'H2', t('report.words'), { x: left, y: sheet.y + 14, width }, { font: 'bold', size: 13 }) + 6;
  const top = sheet.y;
  sheet.y = sheet.text(root, 'BlockQuote', t('report.quoted', { words: text }), { x: left + inset, y: top, width: width - inset }, style);
  const by = t('report.wordsBy', { customer: printable(words.customer), rating: words.rating });
  sheet.y = sheet.text(root, 'P', by, { x: left + inset, y: sheet.y, width: width - inset }, { color: COLOR.quiet });
  sheet.fill({ x: left, y: top, width: 3, height: sheet.y - top }, colours.fill);
}

/** Draws the figures of the month that the page shows, each with that of the month before where there is one. */
export function drawFigures({ sheet, report, t, number, colours }: Printing): void {
  const { totals, previous } = report;
  const names = ['helped', 'hoursSaved', 'contacted', 'failed'] as const;
  const width = (sheet.width - TILE_GAP * (names.length - 1)) / names.length;
  names.forEach((name, index) => {
    const x = sheet.left + index * (width + TILE_GAP);
    const part = sheet.tag(sheet.root, 'Sect');
    sheet.fill({ x, y: sheet.y, width, height: 2 }, index < 2 ? colours.fill : COLOR.line);
    let y = sheet.text(part, 'P', t(`report.${name}`), { x, y: sheet.y + 10, width }, { size: 8.5, color: COLOR.quiet });
    y = sheet.text(part, 'P', number.format(totals[name]), { x, y, width }, { font: 'bold', size: 18 });
    if (previous !== null)
      sheet.text(part, 'P', t('report.before', { value: number.format(previous[name]) }), { x, y, width }, { size: 8, color: COLOR.quiet });
    part.end();
  });
  sheet.y += TILE_HEIGHT + (previous === null ? 0 : 10);
}

/** Draws a heading; on a new page when the `followedBy` points after it would not fit below it. */
export function drawHeading(sheet: Sheet, content: string, followedBy: number): void {
  if (sheet.y + 44 + followedBy > sheet.bottom) sheet.addPage();
  else sheet.y += 18;
  sheet.y = sheet.text(sheet.root, 'H2', content, { x: sheet.left, y: sheet.y, width: sheet.width }, { font: 'bold', size: 13 }) + 8;
}

/** Draws what could come next. */
export function drawSuggestion({ sheet, report: { suggestion }, t }: Printing): void {
  if (suggestion === null) return;
  const width = Math.min(sheet.width, 440);
  const [title, summary] = [printable(suggestion.title), printable(suggestion.summary)];
  drawHeading(sheet, t('report.suggestion'), sheet.heightOf(summary, width) + 24);
  sheet.y = sheet.text(sheet.root, 'P', title, { x: sheet.left, y: sheet.y, width }, { font: 'medium', size: 10.5 });
  sheet.y = sheet.text(sheet.root, 'P', summary, { x: sheet.left, y: sheet.y, width }, { color: COLOR.quiet });
}
