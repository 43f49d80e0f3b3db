import { printable } from '#platform/pdf/printable.ts';
import { COLOR, type Sheet, type Tag } from '#platform/pdf/sheet.ts';
import { drawHeading } from './draw-parts.ts';
import type { Printing } from './printing.ts';

const HEAD = { size: 8.5, color: COLOR.quiet } as const;
const PADDING = 7;
const GAP = 14;

type Column = { heading: string; width: number; align: 'left' | 'right' };
type Cell = { text: string; below?: string };

export function drawResults({ sheet, report, t, number }: Printing): void {
  const hasBefore = report.previous !== null;
  drawTable(
    sheet,
    t('report.results'),
    columnsOf(sheet, [
      { heading: t('report.columnAgent'), width: 0, align: 'left' },
      { heading: t('report.helped'), width: 62, align: 'right' },
      ...(hasBefore ? [{ heading: t('report.columnBefore'), width: 62, align: 'right' } as const] : []),
      { heading: t('report.hoursSaved'), width: 84, align: 'right' },
    ]),
    report.results.map((result) => [
      { text: printable(result.agentName), below: printable(`${number.format(result.count)} ${result.phrase}`) },
      { text: number.format(result.count) },
      ...(hasBefore ? [{ text: result.previousCount === null ? '–' : number.format(result.previousCount) }] : []),
      { text: number.format(result.hoursSaved) },
    ]),
  );
}

export function drawFailures({ sheet, report, t, number }: Printing): void {
  drawTable(
    sheet,
    t('report.failures'),
    columnsOf(sheet, [
      { heading: t('report.columnCause'), width: 0, align: 'left' },
      { heading: t('report.failed'), width: 84, align: 'right' },
      { heading: t('report.handled'), width: 130, align: 'right' },
    ]),
    report.failures.map((failure) => [
      {
        text: printable(failure.text),
        ...(failure.agents.length === 0 ? {} : { below: printable(failure.agents.slice(0, 6).join(', ')) }),
      },
      { text: number.format(failure.count) },
      { text: number.format(failure.handled) },
    ]),
  );
}

/** The column without a width has what the others leave. */
function columnsOf(sheet: Sheet, columns: readonly Column[]): Column[] {
  const rest = sheet.width - columns.reduce((sum, { width }) => sum + (width === 0 ? 0 : width + GAP), 0);
  return columns.map((column) => (column.width === 0 ? { ...column, width: rest } : column));
}

/** Draws a table under its heading; nothing when it has no rows. A row stays on one page; the header is repeated on each. */
function drawTable(sheet: Sheet, heading: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
  if (rows.length === 0) return;
  const [first] = columns;
  if (!first) return;
  const heightOf = ([cell]: readonly Cell[]): number =>
    cell === undefined
      ? 0
      : sheet.heightOf(cell.text, first.width, { font: 'medium' }) +
        (cell.below === undefined ? 0 : sheet.heightOf(cell.below, first.width, { size: 8.5 })) +
        2 * PADDING;
  drawHeading(sheet, heading, 24 + heightOf(rows[0] ?? []));
  const table = sheet.tag(sheet.root, 'Table');
  drawHeader(sheet, columns, table);
  for (const cells of rows) {
    const height = heightOf(cells);
    if (sheet.y + height > sheet.bottom) {
      sheet.addPage();
      drawHeader(sheet, columns, null);
    }
    drawRow(sheet, table, columns, cells);
    sheet.y += height;
    sheet.rule(sheet.y);
  }
  table.end();
}

function drawRow(sheet: Sheet, table: Tag, columns: readonly Column[], cells: readonly Cell[]): void {
  const row = sheet.tag(table, 'TR');
  let x = sheet.left;
  columns.forEach(({ width, align }, index) => {
    const { text = '', below } = cells[index] ?? {};
    const box = { x, y: sheet.y + PADDING, width };
    if (index === 0) {
      const cell = sheet.tag(row, 'TD');
      const y = sheet.text(cell, 'P', text, box, { font: 'medium' });
      if (below !== undefined) sheet.text(cell, 'P', below, { ...box, y }, { size: 8.5, color: COLOR.quiet });
      cell.end();
    } else sheet.text(row, 'TD', text, box, { align });
    x += width + GAP;
  });
  row.end();
}

/** Draws the header; on later pages as an ornament, so that a reader hears it once. */
function drawHeader(sheet: Sheet, columns: readonly Column[], table: Tag | null): void {
  const row = table === null ? null : sheet.tag(table, 'TR');
  let x = sheet.left;
  for (const { heading, width, align } of columns) {
    const box = { x, y: sheet.y, width };
    if (row === null) sheet.ornament(heading, box, { ...HEAD, align });
    else sheet.text(row, 'TH', heading, box, { ...HEAD, align });
    x += width + GAP;
  }
  row?.end();
  sheet.y += 16;
  sheet.rule(sheet.y, undefined, undefined, COLOR.ink);
}
