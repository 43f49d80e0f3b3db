import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { paperOfCountry } from '@partner-portal/core/place/paper.ts';
import { openSheet } from '#platform/pdf/sheet.ts';
import { type Print, textsOf } from './print-texts.ts';
import { drawTable } from './draw-table.ts';
import { drawNotes, drawTotals } from './draw-end.ts';
import { drawHead } from './draw-head.ts';

export type { Print } from './print-texts.ts';

/**
 * Returns the PDF of an issued invoice or credit note. The same input gives the same bytes: all dates are its own. Runs in a thread of
 * `platform/compute`.
 */
export async function renderInvoice(print: Print): Promise<Uint8Array> {
  const texts = textsOf(print);
  const sheet = openSheet({
    paper: paperOfCountry(print.buyer.country),
    info: texts.info,
    createdAt: print.issuedAt,
    footer: texts.footer,
    lang: 'en-US',
    creator: PRODUCT_NAME,
    pageLabel: (page, count) => `Page ${page} of ${count}`,
  });
  drawHead(sheet, texts, print.buyerLogo);
  drawTable(sheet, texts);
  drawTotals(sheet, texts);
  drawNotes(sheet, texts);
  return sheet.end();
}
