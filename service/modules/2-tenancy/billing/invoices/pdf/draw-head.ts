import type { Texts } from './print-texts.ts';
import { COLOR, MARGIN, type Sheet } from '#platform/pdf/sheet.ts';

const LABEL_WIDTH = 116;

/** Largest size of the buyer's logo, next to its name. */
const LOGO = { width: 80, height: 32 };

/** Draws the title, number and dates, both parties and the amount due. */
export function drawHead(sheet: Sheet, { title, facts, seller, buyer, headline }: Texts, buyerLogo: Uint8Array | null): void {
  const { root, left, width } = sheet;
  const half = width / 2 - 16;
  const top = sheet.text(root, 'H1', title, { x: left, y: MARGIN - 6, width: half }, { font: 'bold', size: 24 });
  // The seller is read below as the first party; here it stands for the logo.
  const [sellerName = ''] = seller;
  sheet.ornament(
    sellerName,
    { x: left + half + 32, y: MARGIN, width: half },
    { font: 'bold', size: 13, color: COLOR.quiet, align: 'right' },
  );
  let y = Math.max(top, MARGIN + sheet.heightOf(sellerName, half, { font: 'bold', size: 13 })) + 14;
  for (const [label, value] of facts) {
    const line = sheet.tag(root, 'P');
    sheet.text(line, 'Span', label, { x: left, y, width: LABEL_WIDTH }, { font: 'medium' });
    y = sheet.text(line, 'Span', value, { x: left + LABEL_WIDTH, y, width: half }, {}) + 2;
    line.end();
  }
  y += 20;
  const from = drawParty(sheet, 'From', seller, left, y, half);
  const buyerX = left + half + 32;
  const logoWidth = buyerLogo ? LOGO.width + 12 : 0;
  const to = drawParty(sheet, 'Bill to', buyer, buyerX, y, half - logoWidth);
  // The buyer's name is drawn next to the logo, so the logo needs no text.
  if (buyerLogo) sheet.image(buyerLogo, { x: buyerX + half - LOGO.width, y, ...LOGO });
  y = Math.max(from, to) + 24;
  sheet.y = sheet.text(root, 'H2', headline, { x: left, y, width }, { font: 'bold', size: 16 }) + 22;
}

function drawParty(sheet: Sheet, label: string, lines: readonly string[], x: number, top: number, width: number): number {
  const part = sheet.tag(sheet.root, 'Sect');
  let y = sheet.text(part, 'P', label, { x, y: top, width }, { size: 8.5, color: COLOR.quiet }) + 2;
  lines.forEach((line, index) => {
    y = sheet.text(part, 'P', line, { x, y, width }, index === 0 ? { font: 'bold' } : { color: COLOR.quiet });
  });
  part.end();
  return y;
}
