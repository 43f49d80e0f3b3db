import type { Texts } from './print-texts.ts';
import { COLOR, type Sheet, type Tag } from '#platform/pdf/sheet.ts';

type Column = { x: number; width: number; align: 'left' | 'right'; heading: string };

const GAP = 14;
const PADDING = 8;
const HEAD = { size: 8.5, color: COLOR.quiet } as const;
const NUMBERS_MIN = [34, 58, 66] as const;
const HEADINGS = ['Qty', 'Unit price', 'Amount'] as const;

/** Draws the lines. A line stays on one page; the header is repeated on each. */
export function drawTable(sheet: Sheet, { rows }: Pick<Texts, 'rows'>): void {
  const columns = columnsOf(sheet, rows);
  const [description, ...numbers] = columns;
  if (!description) return;
  const table = sheet.tag(sheet.root, 'Table');
  drawHeader(sheet, columns, table);
  for (const { description: text, period, cells } of rows) {
    const textHeight = sheet.heightOf(text, description.width, { font: 'medium' });
    const height = textHeight + (period === null ? 0 : sheet.heightOf(period, description.width, { size: 8.5 })) + 2 * PADDING - 3;
    if (sheet.y + height > sheet.bottom) {
      sheet.addPage();
      drawHeader(sheet, columns, null);
    }
    const y = sheet.y + PADDING;
    const row = sheet.tag(table, 'TR');
    const cell = sheet.tag(row, 'TD');
    const below = sheet.text(cell, 'P', text, { x: description.x, y, width: description.width }, { font: 'medium' });
    if (period !== null)
      sheet.text(cell, 'P', period, { x: description.x, y: below, width: description.width }, { size: 8.5, color: COLOR.quiet });
    cell.end();
    cells.forEach((value, index) => {
      const column = numbers[index];
      if (column) sheet.text(row, 'TD', value, { x: column.x, y, width: column.width }, { align: 'right' });
    });
    row.end();
    sheet.y += height;
    sheet.rule(sheet.y);
  }
  table.end();
}

/** Draws the header; on later pages as an ornament, so that a reader hears it once. */
function drawHeader(sheet: Sheet, columns: readonly Column[], table: Tag | null): void {
  const row = table === null ? null : sheet.tag(table, 'TR');
  for (const { x, width, align, heading } of columns) {
    const box = { x, y: sheet.y, width };
    if (row === null) sheet.ornament(heading, box, { ...HEAD, align });
    else sheet.text(row, 'TH', heading, box, { ...HEAD, align });
  }
  row?.end();
  sheet.y += 17;
  sheet.rule(sheet.y, undefined, undefined, COLOR.ink);
}

/** Columns of numbers are as wide as their longest value; the description has the rest. */
function columnsOf(sheet: Sheet, rows: Texts['rows']): Column[] {
  const widths = NUMBERS_MIN.map((least, index) =>
    Math.ceil(Math.max(least, ...rows.map(({ cells }) => sheet.widthOf(cells[index] ?? '') + 1))),
  );
  const numbersWidth = widths.reduce((sum, width) => sum + width + GAP, 0);
  let x = sheet.left + sheet.width - numbersWidth;
  const numbers = widths.map((width, index): Column => {
    const column: Column = { x: x + GAP, width, align: 'right', heading: HEADINGS[index] ?? '' };
    x += width + GAP;
    return column;
  });
  return [{ x: sheet.left, width: sheet.width - numbersWidth, align: 'left', heading: 'Description' }, ...numbers];
}
