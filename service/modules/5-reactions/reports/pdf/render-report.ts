import { drawBusyHours, drawTrend } from './draw-charts.ts';
import { drawFailures, drawResults } from './draw-lists.ts';
import { drawCover, drawFigures, drawSuggestion, drawWonBack, drawWords, drawWorth } from './draw-parts.ts';
import { printingOf, type PrintReport } from './printing.ts';

/** Returns the PDF of a report. The same input gives the same bytes. Runs in a thread of `platform/compute`. */
export async function renderReport(print: PrintReport): Promise<Uint8Array> {
  const printing = printingOf(print);
  const { results, trend, busiestHours, failures, suggestion } = print.report;
  drawCover(printing, print.logo);
  drawFigures(printing);
  drawWorth(printing);
  drawWonBack(printing);
  drawWords(printing);
  // What follows begins behind the cover.
  if (results.length + busiestHours.length + failures.length > 0 || trend.length > 1 || suggestion !== null) printing.sheet.addPage();
  drawResults(printing);
  drawTrend(printing);
  drawBusyHours(printing);
  drawFailures(printing);
  drawSuggestion(printing);
  return printing.sheet.end();
}
