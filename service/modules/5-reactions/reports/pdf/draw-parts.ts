import { printable } from '#platform/pdf/printable.ts';
import { COLOR, MARGIN, type Sheet } from '#platform/pdf/sheet.ts';
import type { Printing } from './printing.ts';

const LOGO = { width: 140, height: 34 };
const TILE_GAP = 12;
const TILE_HEIGHT = 62;

/** Draws the agency's band, logo and name, then whose report it is and of which month. */
export function drawHead({ sheet, agency, client, month, title, colours }: Printing, logo: Uint8Array | null): void {
  const { root, left, width } = sheet;
  sheet.fill({ x: 0, y: 0, width: width + 2 * MARGIN, height: 6 }, colours.fill);
  const top = MARGIN - 18;
  if (logo) sheet.image(logo, { x: left, y: top, ...LOGO }, 'left');
  const nameBox = logo ? { x: left + LOGO.width + 16, y: top + 8, width: width - LOGO.width - 16 } : { x: left, y: top + 4, width };
  const below = sheet.text(root, 'P', agency, nameBox, {
    font: 'bold',
    size: 12,
    align: logo ? 'right' : 'left',
    ...(logo ? { color: COLOR.quiet } : { color: colours.text }),
  });
  let y = Math.max(below, logo ? top + LOGO.height : 0) + 22;
  y = sheet.text(root, 'P', `${title} · ${month}`, { x: left, y, width }, { font: 'medium', size: 11, color: colours.text }) + 2;
  sheet.y = sheet.text(root, 'H1', client, { x: left, y, width }, { font: 'bold', size: 24 }) + 16;
}

/** Draws the figures of the month, each with that of the month before where there is one. */
export function drawFigures({ sheet, report, t, number, colours }: Printing): void {
  const { totals, previous } = report;
  const names = ['helped', 'hoursSaved', 'runs', 'failed'] as const;
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

/** Draws a heading; on a new page when what follows, so many points high, would not fit below it. */
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
