import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { formatMoney } from '@partner-portal/core/billing/money.ts';
import { type Print, renderInvoice } from './render-invoice.ts';

const line = (change: Partial<Print['lines'][number]> = {}) => ({
  description: 'Growth',
  quantity: 1,
  unitPriceMinor: 9_900,
  amountMinor: 9_900,
  periodStart: new Date('2026-11-23T00:00:00.000Z'),
  periodEnd: new Date('2026-12-23T00:00:00.000Z'),
  ...change,
});
const PRINT: Print = {
  kind: 'invoice',
  number: '2026-000123',
  currency: 'EUR',
  issuedAt: new Date('2026-11-23T23:30:00.000Z'),
  dueAt: new Date('2026-12-07T23:30:00.000Z'),
  seller: {
    name: 'Portal Software GmbH',
    address: 'Torstraße 1\n10119 Berlin',
    country: 'DE',
    taxId: 'DE123456789',
    email: 'billing@portal.example',
  },
  buyerLogo: null,
  buyer: { name: 'Northwind Studio', address: '1 Main Street', country: 'GB', taxId: 'GB77', email: 'pay@northwind.example' },
  lines: [line(), line({ description: 'Team seats beyond the plan', quantity: 3, unitPriceMinor: 1_500, amountMinor: 4_500 })],
  subtotalMinor: 14_400,
  taxRateBasisPoints: 1_900,
  taxNote: 'Reverse charge: the recipient is liable for the tax.',
  taxMinor: 2_736,
  totalMinor: 17_136,
  paymentInstructions: 'Bank transfer\nIBAN DE89 3704 0044 0532 0130 00',
  creditReason: null,
  creditsNumber: null,
};
type Page = { width: number; height: number; text: string };

/** The pages of a document as a program reads them. Blanks of any kind count as one. */
async function pagesOf(print: Print): Promise<Page[]> {
  const document = await getDocumentProxy(await renderInvoice(print));
  const { text } = await extractText(document);
  const pages = [];
  for (const [index, content] of text.entries()) {
    const [, , width = 0, height = 0] = (await document.getPage(index + 1)).view;
    pages.push({ width: Math.round(width), height: Math.round(height), text: content.replace(/\s+/g, ' ') });
  }
  await document.cleanup();
  return pages;
}
const textOf = async (print: Print): Promise<string> => (await pagesOf(print)).map(({ text }) => text).join(' ');
/** Asserts that each part follows the one before. */
function assertInOrder(text: string, ...groups: readonly string[][]): void {
  let from = 0;
  for (const part of groups.flat()) {
    const at = text.indexOf(part, from);
    assert.notEqual(at, -1, `“${part}” is not behind the parts before it in: ${text.slice(from, from + 400)}`);
    from = at + part.length;
  }
}

describe('the document of an invoice', () => {
  it('reads in order: who, when, lines, totals, tax note, how to pay', async () => {
    assertInOrder(
      await textOf(PRINT),
      ['Invoice', 'Invoice number', '2026-000123', 'Date of issue', 'November 23, 2026', 'Date due', 'December 7, 2026'],
      ['From', 'Portal Software GmbH', 'Torstraße 1', '10119 Berlin', 'Germany', 'billing@portal.example', 'Tax ID DE123456789'],
      ['Bill to', 'Northwind Studio', '1 Main Street', 'United Kingdom', 'pay@northwind.example', 'Tax ID GB77'],
      ['€171.36 due December 7, 2026', 'Description', 'Qty', 'Unit price', 'Amount'],
      ['Growth', 'Nov 23, 2026 – Dec 23, 2026', '1', '€99.00', '€99.00', 'Team seats beyond the plan', '3', '€15.00', '€45.00'],
      ['Subtotal', '€144.00', 'Tax (19% on €144.00)', '€27.36', 'Total', '€171.36', 'Amount due', '€171.36'],
      ['Tax', 'Reverse charge', 'How to pay', 'Bank transfer', 'IBAN DE89', 'Page 1 of 1'],
    );
  });

  it('is tagged, has a title and a language, and embeds its fonts', async () => {
    const bytes = await renderInvoice(PRINT);
    const document = await getDocumentProxy(bytes.slice());
    const { info } = await document.getMetadata();
    assert.deepEqual(
      ['Title', 'Language', 'IsAcroFormPresent'].map((name) => Reflect.get(info, name)),
      ['Invoice 2026-000123', 'en-US', false],
    );
    const tree = JSON.stringify(await (await document.getPage(1)).getStructTree());
    for (const role of ['Document', 'H1', 'H2', 'Table', 'TR', 'TH', 'TD']) assert.ok(tree.includes(`"role":"${role}"`), role);
    const raw = Buffer.from(bytes).toString('latin1');
    assert.match(raw, /\+Inter-Regular/);
    assert.doesNotMatch(raw, /Helvetica/);
  });

  it('shows the logo of the buyer next to its name', async () => {
    const buyerLogo = await sharp({ create: { width: 240, height: 96, channels: 4, background: { r: 9, g: 99, b: 9, alpha: 0.5 } } })
      .png()
      .toBuffer();
    const countImages = async (print: Print): Promise<number> =>
      Buffer.from(await renderInvoice(print))
        .toString('latin1')
        .split('/Subtype /Image').length - 1;
    // With its transparency, which is an image of its own.
    assert.deepEqual([await countImages(PRINT), await countImages({ ...PRINT, buyerLogo })], [0, 2]);
    assertInOrder(await textOf({ ...PRINT, buyerLogo }), ['Bill to', 'Northwind Studio', '1 Main Street', '€171.36 due']);
    const twice = [await renderInvoice({ ...PRINT, buyerLogo }), await renderInvoice({ ...PRINT, buyerLogo })];
    assert.ok(Buffer.from(twice[0] ?? []).equals(Buffer.from(twice[1] ?? [0])));
  });

  it('has the same bytes each time, whatever the time', async (context) => {
    const first = await renderInvoice(PRINT);
    context.mock.timers.enable({ apis: ['Date'], now: new Date('2031-05-05') });
    const second = await renderInvoice(structuredClone(PRINT));
    context.mock.timers.reset();
    assert.ok(Buffer.from(first).equals(Buffer.from(second)));
    assert.ok(!Buffer.from(first).equals(Buffer.from(await renderInvoice({ ...PRINT, number: '2026-000124' }))));
  });

  it('sets names in Latin with diacritics, Greek and Cyrillic', async () => {
    for (const name of ['Ångström & Żółć Łódź', 'Đặng Thị Hồng', 'Ελληνική Εταιρεία Άλφα', 'Щёлково — Їжак і ґанок', 'Šťastný Őrség'])
      assertInOrder(await textOf({ ...PRINT, buyer: { ...PRINT.buyer, name } }), ['Bill to', name, '1 Main Street']);
    // Composed before it is set; marks of direction and control are left out.
    const text = await textOf({ ...PRINT, buyer: { ...PRINT.buyer, name: 'Zo\u0065\u0301 \u202eevil\u0007' } });
    assertInOrder(text, ['Bill to', 'Zoé evil', '1 Main Street']);
  });

  it('formats each currency with its own decimals', async () => {
    for (const [currency, shown] of [
      ['JPY', '¥17,136'],
      ['USD', '$171.36'],
      ['EUR', '€171.36'],
      ['KWD', 'KWD 17.136'],
    ] as const) {
      assert.equal(formatMoney(17_136, currency).replace(/\s/g, ' '), shown);
      assertInOrder(await textOf({ ...PRINT, currency }), [`${shown} due`, 'Amount due', shown]);
    }
  });

  it('is on A4, and on Letter for countries that print on it', async () => {
    const sizeFor = async (country: string | null) => {
      const [page] = await pagesOf({ ...PRINT, buyer: { ...PRINT.buyer, country } });
      return [page?.width, page?.height];
    };
    for (const country of ['DE', 'GR', null]) assert.deepEqual(await sizeFor(country), [595, 842], String(country));
    for (const country of ['US', 'CL']) assert.deepEqual(await sizeFor(country), [612, 792], country);
  });

  it('of 200 lines repeats the header on each page and numbers them, and loses no line', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => line({ description: `Line no. ${index + 1}.` }));
    const pages = await pagesOf({ ...PRINT, lines });
    assert.ok(pages.length > 5);
    for (const [index, { text }] of pages.entries()) {
      if (/Line no\./.test(text)) assertInOrder(text, ['Description', 'Qty', 'Unit price', 'Amount', 'Line no.']);
      assert.ok(text.includes(`Page ${index + 1} of ${pages.length}`));
    }
    assertInOrder(pages.map(({ text }) => text).join(' '), [...lines.map(({ description }) => description), 'Amount due']);
  });

  it('breaks very long words, and keeps amounts whole', async () => {
    const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(6);
    const amountMinor = 999_999_999_999;
    const text = await textOf({
      ...PRINT,
      currency: 'KWD',
      buyer: { ...PRINT.buyer, name: 'W'.repeat(150) },
      lines: [line({ description: word, amountMinor })],
      taxNote: word,
      totalMinor: amountMinor,
    });
    const joined = text.replaceAll(' ', '');
    assert.equal(joined.split(word).length, 3, 'once in the table, once in the note');
    assert.ok(joined.includes('W'.repeat(150)));
    assertInOrder(text, ['KWD 999,999,999.999', 'Amount due', 'KWD 999,999,999.999']);
  });

  it('says which invoice a credit note corrects, and why', async () => {
    const note: Print = {
      ...PRINT,
      kind: 'credit_note',
      number: '2026-000124',
      dueAt: null,
      lines: [line({ description: 'Downtime', unitPriceMinor: -1_000, amountMinor: -1_000, periodStart: null, periodEnd: null })],
      subtotalMinor: -1_000,
      taxMinor: -190,
      totalMinor: -1_190,
      paymentInstructions: null,
      creditReason: 'Goodwill for the outage',
      creditsNumber: '2026-000123',
    };
    const text = await textOf(note);
    assertInOrder(
      text,
      ['Credit note', 'Credit note number', '2026-000124', 'Corrects invoice', '2026-000123', '€11.90 credited', 'Downtime', '-€10.00'],
      ['Total', '-€11.90', 'Amount credited €11.90', 'Reason', 'Goodwill for the outage'],
    );
    assert.doesNotMatch(text, /due|How to pay|-€11\.90 credited|credited -/);
  });
});
