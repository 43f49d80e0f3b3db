import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messagesFor } from '@partner-portal/messages/all.ts';
import sharp from 'sharp';
import { extractText, getDocumentProxy, getMeta, getResolvedPDFJS } from 'unpdf';
import type { Report } from '../read/read-report.ts';
import type { PrintReport } from './printing.ts';
import { renderReport } from './render-report.ts';

const TOTALS = { runs: 1240, succeeded: 1210, failed: 30, contacted: 900, helped: 1180, hoursSaved: 98.4, credits: null };
const agent = (n: number): Report['results'][number] => ({
  workflowId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  agentName: `Agent ${n}`,
  templateName: 'missed-call-text-back',
  icon: 'phone',
  count: 1000 + n,
  phrase: 'missed calls answered by text',
  runs: 1100 + n,
  failed: 3,
  hoursSaved: 12.5,
  previousCount: 900,
  worthMinor: null,
});
const REPORT: Report = {
  client: { id: 'c', name: 'Oak Street Dental', timezone: 'Europe/Berlin', locale: 'de' },
  partner: { id: 'p', name: 'Acme Agency', logoUrl: null, brandColor: '#24478f', supportEmail: null },
  month: '2026-10',
  isFinished: true,
  generatedAt: new Date('2026-11-02T08:00:00Z'),
  firstMonth: '2026-01',
  totals: TOTALS,
  previous: { ...TOTALS, helped: 1000 },
  worth: null,
  words: null,
  results: [agent(1), agent(2), agent(3)],
  trend: Array.from({ length: 10 }, (_, index) => ({
    month: `2026-${String(index + 1).padStart(2, '0')}`,
    helped: 100 + index * 120,
    runs: 200,
    failed: 1,
    hoursSaved: 4,
  })),
  busiestHours: Array.from({ length: 60 }, (_, index) => ({ weekday: (index % 7) + 1, hour: (index * 5) % 24, runs: index + 1 })),
  failures: [
    {
      cause: 'connection',
      text: 'The account or the settings of a connected service need attention.',
      count: 30,
      agents: ['Agent 1'],
      handled: 12,
    },
  ],
  suggestion: {
    templateName: 'review-request',
    title: 'Review request',
    summary: 'Asks happy customers for a review.',
    icon: 'star',
    missing: [],
  },
};
const PRINT: PrintReport = { report: REPORT, tag: 'en', paper: 'A4', logo: null };

/** A number moves the next glyph. */
type Glyph = number | { originalCharCode: number };

async function read(print: PrintReport) {
  const document = await getDocumentProxy(await renderReport(print));
  const { text } = await extractText(document);
  const { info } = await getMeta(document);
  const [, , width = 0, height = 0] = (await document.getPage(1)).view;
  await document.cleanup();
  return {
    pages: text.map((page) => page.replace(/\s+/g, ' ')),
    info: JSON.stringify(info),
    size: [Math.round(width), Math.round(height)],
  };
}

describe('the printed report', () => {
  it('names the agency and the client, and the platform nowhere, not even in its properties', async () => {
    const { pages, info } = await read(PRINT);
    const text = pages.join(' ');
    for (const part of [
      'Acme Agency',
      'Oak Street Dental',
      'October 2026',
      '1,180',
      '98.4',
      '1,001 missed calls answered by text',
      'Review request',
    ])
      assert.ok(text.includes(part), part);
    assert.match(info, /Monthly report · Oak Street Dental · October 2026/);
    assert.doesNotMatch(`${text}${info}`, /partner[ -]?portal/i);
  });

  for (const locale of ['en', 'de', 'es'] as const)
    it(`${locale}: has the figures of the page under the words of the page`, async () => {
      const { t, tag } = messagesFor(locale);
      const words = {
        helped: t('report-page.results-total'),
        hoursSaved: t('report-page.hours-saved'),
        contacted: t('report-page.contacted'),
        failed: t('report-page.failed'),
      };
      const text = (await read({ ...PRINT, tag: locale })).pages.join(' ');
      for (const name of ['helped', 'hoursSaved', 'contacted', 'failed'] as const)
        assert.ok(text.includes(`${words[name]} ${TOTALS[name].toLocaleString(tag)}`), `${words[name]} in ${text.slice(0, 400)}`);
      assert.ok(!text.includes(TOTALS.runs.toLocaleString(tag)), 'the page shows no number of tasks');
      // The CSV has the number of tasks in addition.
      assert.deepEqual(
        [t('report.helped'), t('report.hoursSaved'), t('report.contacted'), t('report.failed'), t('report.credits'), t('report.runs')],
        [...Object.values(words), t('report-page.credits'), t('report-page.tasks')],
      );
    });

  it('is on A4 or Letter, with numbers and dates of the language', async () => {
    assert.deepEqual((await read(PRINT)).size, [595, 842]);
    assert.deepEqual((await read({ ...PRINT, paper: 'Letter' })).size, [612, 792]);
    const german = (await read({ ...PRINT, tag: 'de' })).pages.join(' ');
    for (const part of ['Monatsbericht · Oktober 2026', '1.180', '98,4', 'Seite 1 von']) assert.ok(german.includes(part), part);
  });

  it('keeps each agent on one page and repeats the header, with forty of them', async () => {
    for (const paper of ['A4', 'Letter'] as const) {
      const results = Array.from({ length: 40 }, (_, index) => agent(index + 1));
      const { pages } = await read({ ...PRINT, paper, report: { ...REPORT, results } });
      assert.ok(pages.length >= 3, paper);
      for (let n = 1; n <= 40; n += 1) {
        const phrase = `${(1000 + n).toLocaleString('en')} missed calls`;
        assert.equal(pages.filter((page) => page.includes(`Agent ${n} ${phrase}`)).length, 1, `${paper}: ${n}`);
      }
      // The cover names the largest results, without a table.
      const listed = pages.slice(1).filter((page) => page.includes('missed calls answered'));
      assert.ok(listed.length > 1 && listed.every((page) => page.includes('Before')), paper);
      for (const [index, page] of pages.entries()) assert.ok(page.includes(`Page ${index + 1} of ${pages.length}`), page.slice(-80));
    }
  });

  it('leaves out what there is nothing of, and draws a logo and names of any kind', async () => {
    const logo = await sharp({ create: { width: 300, height: 60, channels: 4, background: '#24478f' } })
      .png()
      .toBuffer();
    const report: Report = {
      ...REPORT,
      partner: { ...REPORT.partner, name: 'Ünïcode & Söhne \u202Egnp', brandColor: 'red' },
      previous: null,
      results: [],
      trend: REPORT.trend.slice(0, 1),
      busiestHours: [],
      failures: [],
      suggestion: null,
    };
    const { pages } = await read({ ...PRINT, report, logo });
    assert.equal(pages.length, 1);
    assert.ok(pages[0]?.includes('Ünïcode & Söhne'));
    for (const part of ['Results by agent', 'Month by month', 'Busiest hours', 'What did not work', 'Before'])
      assert.ok(!pages[0]?.includes(part), part);
  });

  it('has a cover with what was won back, what it is thought to be worth and that this is an estimate, and the words of a customer', async () => {
    const report: Report = {
      ...REPORT,
      worth: { currency: 'USD', minor: 5_310_050, previousMinor: null },
      words: { text: 'On time, friendly, and the tooth is fine 🦷.', customer: 'Ana', rating: 5 },
    };
    const [cover = ''] = (await read({ ...PRINT, report })).pages;
    for (const part of [
      'Acme Agency Monthly report · October 2026 Oak Street Dental',
      'Estimated value $53,101 An estimate: the results, times what Acme Agency thinks one is worth.',
      'What was won back 1,001 missed calls answered by text',
      '“On time, friendly, and the tooth is fine .” Ana, 5 of 5',
    ])
      assert.ok(cover.includes(part), `${part} in: ${cover}`);
    assert.ok(!cover.includes('Results by agent'));
    const [german = ''] = (await read({ ...PRINT, tag: 'de', report })).pages;
    assert.match(german, /Geschätzter Wert 53\.101\s\$/);
    assert.ok(german.includes('„On time, friendly, and the tooth is fine .“ Ana, 5 von 5'), german);
    const [plain = ''] = (await read(PRINT)).pages;
    for (const part of ['Estimated value', 'What a customer said']) assert.ok(!plain.includes(part), part);
  });

  it('leaves out characters the font has no glyph for, where it would print empty boxes', async () => {
    const report: Report = {
      ...REPORT,
      client: { ...REPORT.client, name: 'Oak 🦷 Dental 电话' },
      partner: { ...REPORT.partner, name: 'Αθήνα Москва 👍🏽 Žilina' },
      results: [{ ...agent(1), agentName: '❤️ Reminder ✨', phrase: '提醒 sent' }],
    };
    const document = await getDocumentProxy(await renderReport({ ...PRINT, report }));
    const { text } = await extractText(document, { mergePages: true });
    for (const part of ['Oak Dental', 'Αθήνα Москва Žilina', 'Reminder', 'sent']) assert.ok(text.includes(part), part);
    const { OPS } = await getResolvedPDFJS();
    for (let number = 1; number <= document.numPages; number += 1) {
      const { fnArray, argsArray } = await (await document.getPage(number)).getOperatorList();
      const drawn = fnArray.flatMap((operation, index) => (operation === OPS.showText ? (argsArray[index][0] as Glyph[]) : [])); // the parser's own type is any
      assert.ok(drawn.length > 50);
      // Glyph 0 of a font is the box for what it lacks.
      assert.ok(drawn.every((glyph) => typeof glyph === 'number' || glyph.originalCharCode !== 0));
    }
    await document.cleanup();
  });

  it('is the same file for the same numbers', async () => {
    const [first, second] = [await renderReport(PRINT), await renderReport(PRINT)];
    assert.deepEqual(Buffer.from(first), Buffer.from(second));
  });
});
