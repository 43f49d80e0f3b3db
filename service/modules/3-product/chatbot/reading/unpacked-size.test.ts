import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pdfOf, type PdfSpelling, unpackingPdf } from '../knowledge/test-pdfs.ts';
import { unpacksTooLarge } from './unpacked-size.ts';

const MIB = 1_048_576;
const hex = { encode: (content: Buffer) => Buffer.from(`${content.toString('hex')}>`) };

const base85 = {
  encode(content: Buffer): Buffer {
    const words: string[] = [];
    for (let at = 0; at < content.length; at += 4) {
      const size = Math.min(4, content.length - at);
      let value = Buffer.concat([content.subarray(at, at + size)], 4).readUInt32BE();
      if (value === 0 && size === 4) {
        words.push('z');
        continue;
      }
      let digits = '';
      for (let place = 0; place < 5; place += 1) {
        digits = String.fromCharCode(0x21 + (value % 85)) + digits;
        value = Math.floor(value / 85);
      }
      words.push(digits.slice(0, size + 1));
    }
    return Buffer.from(`${words.join('\n')}~>`);
  },
  filter: '[ /ASCII85Decode /FlateDecode ]',
};

describe('a PDF that unpacks to more than it may is found, however it is spelled:', () => {
  const spellings: [name: string, spelling: PdfSpelling][] = [
    ['plainly', {}],
    ['with a blank before the line ends', { afterStream: ' \n' }],
    ['with other text before the line ends', { afterStream: ' %x\r\n' }],
    ['with a carriage return alone', { afterStream: '\r' }],
    ['in hexadecimal', { ...hex, filter: '[/ASCIIHexDecode /FlateDecode]' }],
    ['in hexadecimal, abbreviated', { ...hex, filter: '[ /AHx/Fl ]' }],
    ['in base 85', base85],
    ['in base 85, twice', { ...base85, filter: '[/A85 /A85 /Fl]' }],
    ['in base 85, compressed twice', { ...base85, filter: '[/A85 /Fl /Fl]' }],
    ['with an escaped name', { ...hex, filter: '[/#41SCIIHexDecode /FlateDecode]' }],
    ['with a comment between', { ...hex, filter: '%a\n[/ASCIIHexDecode %]\n /FlateDecode]' }],
    ['with a filter that stands elsewhere', { ...hex, filter: '[7 0 R /FlateDecode]' }],
    ['with the word that ends a run inside it', { inside: 'endstream' }],
  ];
  for (const [name, spelling] of spellings) it(name, () => assert.equal(unpacksTooLarge(unpackingPdf(3, 1, spelling), 2 * MIB), true));
});

/** A PDF with one stream under this dictionary, above the size up to which runs of an older compression are read. */
const largePdf = (dictionary: string, inside = ''): Buffer => {
  const data = Buffer.alloc(300 * 1024, 0xab);
  data.write(inside, 150 * 1024, 'latin1');
  return Buffer.concat([Buffer.from(`%PDF-1.4\n4 0 obj\n<< ${dictionary} >>\nstream\n`), data, Buffer.from('\nendstream\nendobj\n')]);
};

describe('a large PDF with an older compression, which cannot be measured, counts as too large:', () => {
  for (const dictionary of [
    '/Filter /LZWDecode',
    '/Filter/LZWDecode/Length 9',
    '/Filter [/LZWDecode]',
    '/Filter /#4cZ#57Decode',
    '/Filter [ /ASCII85Decode /LZW ]',
  ])
    it(dictionary, () => assert.equal(unpacksTooLarge(largePdf(dictionary), 2 * MIB), true));
  it('in an image within a page', () => assert.equal(unpacksTooLarge(largePdf('/Length 9', ' BI /W 9 /H 9 /F /LZW ID '), 2 * MIB), true));
  for (const inside of ['LZW', '/LZW1', 'LZWDecode'])
    it(`and one whose image holds “${inside}” by chance does not`, () => {
      assert.equal(unpacksTooLarge(largePdf('/Subtype /Image /Filter /DCTDecode', inside), 2 * MIB), false);
    });
});

describe('a PDF that unpacks to less is let through', () => {
  it('spelled plainly, with a blank, and made by a usual library', async () => {
    assert.equal(unpacksTooLarge(unpackingPdf(1), 2 * MIB), false);
    assert.equal(unpacksTooLarge(unpackingPdf(1, 1, { afterStream: ' \n' }), 2 * MIB), false);
    assert.equal(unpacksTooLarge(await pdfOf([{ heading: 'Prices', text: 'A cleaning costs 120.' }]), 2 * MIB), false);
  });

  it('in base 85, as common writers of PDFs do', () => {
    assert.equal(unpacksTooLarge(unpackingPdf(1, 1, base85), 2 * MIB), false);
  });

  it('with an image in text form, which is not unpacked further', () => {
    const image = Buffer.from('%PDF-1.4\n4 0 obj\n<< /Filter [/ASCII85Decode /DCTDecode] >>\nstream\ns4IA~>\nendstream\nendobj\n');
    assert.equal(unpacksTooLarge(image, 2 * MIB), false);
  });
});
