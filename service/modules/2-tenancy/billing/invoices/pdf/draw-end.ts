import type { Texts } from './print-texts.ts';
import { COLOR, type Sheet, type TextStyle } from '#platform/pdf/sheet.ts';

const ROW_HEIGHT = 21;

/** Draws subtotal, tax, total and the amount due, all on one page. */
export function drawTotals(sheet: Sheet, { totals, final }: Texts): void {
  const rows = [
    ...totals.map(([label, value]) => ({ label, value, style: {} as TextStyle })),
    { label: final[0], value: final[1], style: { font: 'bold' } as TextStyle },
  ];
  if (sheet.y + rows.length * ROW_HEIGHT + 8 > sheet.bottom) sheet.addPage();
  const x = sheet.left + sheet.width / 2;
  const width = sheet.width / 2;
  sheet.y += 4;
  const list = sheet.tag(sheet.root, 'Table');
  rows.forEach(({ label, value, style }, index) => {
    const row = sheet.tag(list, 'TR');
    const y = sheet.y + 6;
    const valueWidth = Math.min(width - 60, sheet.widthOf(value, { font: 'bold' }) + 2);
    const labelBelow = sheet.text(row, 'TH', label, { x, y, width: width - valueWidth - 10 }, style);
    sheet.text(row, 'TD', value, { x: x + width - valueWidth, y, width: valueWidth }, { ...style, align: 'right' });
    row.end();
    sheet.y = Math.max(sheet.y + ROW_HEIGHT, labelBelow + 4);
    if (index < rows.length - 1) sheet.rule(sheet.y, x, width);
  });
  list.end();
}

/** Draws tax note, reason and payment instructions. */
export function drawNotes(sheet: Sheet, { notes }: Texts): void {
  sheet.y += 28;
  for (const [label, content] of notes) {
    const width = Math.min(sheet.width, 400);
    const height = sheet.heightOf(content, width, { color: COLOR.quiet }) + 18;
    if (sheet.y + height > sheet.bottom) sheet.addPage();
    const part = sheet.tag(sheet.root, 'Sect');
    sheet.y = sheet.text(part, 'H3', label, { x: sheet.left, y: sheet.y, width }, { font: 'bold' }) + 2;
    for (const line of content.split('\n'))
      sheet.y = sheet.text(part, 'P', line === '' ? ' ' : line, { x: sheet.left, y: sheet.y, width }, { color: COLOR.quiet });
    part.end();
    sheet.y += 14;
  }
}
