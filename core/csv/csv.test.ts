import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CsvForm, csvFormOf, csvLine, rearm } from './csv.ts';

/** Texts of strangers, and what an export makes of them. */
const DISARMED: [text: string, cell: string][] = [
  ['=1+1', "'=1+1"],
  ['+15550100', "'+15550100"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ["x;=cmd|'/c calc'!A1", "x;'=cmd|'/c calc'!A1"],
  ['x\t=1', "x\t'=1"],
  ['x\n=1', '"x\n\'=1"'],
  ['x\r=1', '"x\r\'=1"'],
  ['x\r\n@A1', '"x\r\n\'@A1"'],
  ['\t=1', "\t'=1"],
  ['; =1', ";' =1"],
  ['\u200b=1', "'\u200b=1"],
  ['x;"=1', '"x;\'""=1"'],
  ['=a;=b;c', "'=a;'=b;c"],
  ['Notes:\n- call back\n- send mail', '"Notes:\n\'- call back\n\'- send mail"'],
];

/** Texts that stay unchanged, except for the quotes that CSV needs. */
const UNCHANGED: [text: string, cell: string][] = [
  ['red; green; blue', 'red; green; blue'],
  ['x;y=1', 'x;y=1'],
  ['2+2=4', '2+2=4'],
  ['Smith, Ann', '"Smith, Ann"'],
  ['said "hi"; left', '"said ""hi""; left"'],
  ['ann@example.com;bob@example.com', 'ann@example.com;bob@example.com'],
  ['two\nlines', '"two\nlines"'],
  ["'=1", "'=1"],
];

describe('a cell of an export', () => {
  for (const [text, cell] of DISARMED) {
    it(`is no formula: ${JSON.stringify(text)}`, () => assert.equal(csvLine([text]), `${cell}\r\n`));
  }
  for (const [text, cell] of UNCHANGED) {
    it(`stays readable: ${JSON.stringify(text)}`, () => assert.equal(csvLine([text]), `${cell}\r\n`));
  }

  it('is read in again as it was', () => {
    for (const [text] of DISARMED) {
      const [cell = ''] = /^"?([^]*?)"?\r\n$/.exec(csvLine([text]))?.slice(1) ?? [];
      assert.equal(rearm(cell.replaceAll('""', '"')), text);
    }
    assert.equal(rearm("'quoted'"), "'quoted'");
  });

  it('keeps numbers, times and gaps as they are', () => {
    assert.equal(csvLine([-5, true, new Date(0), null, undefined]), '-5,true,1970-01-01T00:00:00.000Z,,\r\n');
  });

  it('is written for the spreadsheets of a reader’s region', () => {
    const row = ['Zeit; Ort', 'a,b', 2.5, -1.25, 3, new Date(0), true];
    for (const [tag, line] of [
      ['de-DE', '"Zeit; Ort";a,b;2,5;-1,25;3;1970-01-01T00:00:00.000Z;true'],
      ['es-ES', '"Zeit; Ort";a,b;2,5;-1,25;3;1970-01-01T00:00:00.000Z;true'],
      ['es-AR', '"Zeit; Ort";a,b;2,5;-1,25;3;1970-01-01T00:00:00.000Z;true'],
      ['de-CH', '"Zeit; Ort";a,b;2.5;-1.25;3;1970-01-01T00:00:00.000Z;true'],
      ['es-MX', 'Zeit; Ort,"a,b",2.5,-1.25,3,1970-01-01T00:00:00.000Z,true'],
      ['en-GB', 'Zeit; Ort,"a,b",2.5,-1.25,3,1970-01-01T00:00:00.000Z,true'],
    ] as const)
      assert.equal(csvLine(row, csvFormOf(tag)), `${line}\r\n`, tag);
  });

  it('is no formula in a file of semicolons either, which is read by commas', () => {
    assert.equal(csvLine(['a,@SUM(1)', 'b, =1+1', 'c, d'], csvFormOf('de-DE')), "a,'@SUM(1);b,' =1+1;c, d\r\n");
    assert.equal(
      csvLine(['49,- €', 'Preis 12,-', 'ab 49,- pro Stunde', '9,-;'], csvFormOf('de-DE')),
      '49,- €;Preis 12,-;ab 49,\'- pro Stunde;"9,-;"\r\n',
    );
    assert.equal(rearm("a,'@SUM(1)", ';'), 'a,@SUM(1)');
    // In a file of commas no apostrophe was put there.
    assert.equal(rearm("O'Neil,'-x"), "O'Neil,'-x");
    assert.deepEqual(formulasIn([...wordsOf([';', '\t', '\n', '"', "'", ',', ' ', '=', 'a'], 4)], csvFormOf('de-DE')), []);
  });

  it('is no formula whichever of comma, semicolon and tab separates, whatever the text', () => {
    const texts = [...wordsOf([';', '\t', '\n', '\r', '"', "'", ',', ' ', '=', '-', 'a'], 5)];
    assert.equal(texts.length, 177_155);
    assert.deepEqual(formulasIn(texts), []);
  });

  it('takes time in proportion to its length only', () => {
    // A search that looked ahead from each blank or separator again would never end on these.
    for (const filling of [' ', ';', '\t', '\n', '"', '; ', ';"'])
      assert.ok(csvLine([filling.repeat(2_000_000 / filling.length)]).length >= 2_000_000);
  });
});

/** The first texts of which a cell begins a formula, whichever separator the program is set to. */
function formulasIn(texts: readonly string[], form?: CsvForm): string[] {
  const found: string[] = [];
  for (const text of texts) {
    // First, between others and last: a quote opens a cell only where the program reads its start.
    const file = csvLine([text, 'b', text], form) + csvLine(['b', text], form);
    for (const separator of [',', ';', '\t'])
      if (readAsSpreadsheet(file, separator).some((cell) => /^[ "]*[=+\-@]/.test(cell))) found.push(JSON.stringify(text));
  }
  return found.slice(0, 10);
}

/** Every text of at most `lengthMax` of these characters, the empty one left out. */
function* wordsOf(characters: readonly string[], lengthMax: number): Generator<string> {
  let words = [''];
  for (let length = 1; length <= lengthMax; length += 1) {
    words = words.flatMap((word) => characters.map((character) => word + character));
    yield* words;
  }
}

/** The cells as a spreadsheet reads them: a quote counts at the start of a cell only; what follows the closing one belongs to the cell. */
function readAsSpreadsheet(text: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      for (; at < text.length; at += 1) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at += 1;
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n') cell += text[at++];
    cells.push(cell);
    at += 1;
  }
  return cells;
}
