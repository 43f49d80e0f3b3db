import { drawBusyHours, drawTrend } from './draw-charts.ts';
import { drawFailures, drawResults } from './draw-lists.ts';
import { drawFigures, drawHead, drawSuggestion } from './draw-parts.ts';
import { printingOf, type PrintReport } from './printing.ts';

/** Returns the PDF of a report. The same input gives the same bytes. Runs in a thread of `platform/compute`. */
export async function renderReport(print: PrintReport): Promise<Uint8Array> {
  const printing = printingOf(print);
  drawHead(printing, print.logo);
  drawFigures(printing);
  drawResults(printing);
  drawTrend(printing);
  drawBusyHours(printing);
  drawFailures(printing);
  drawSuggestion(printing);
  return printing.sheet.end();
}
