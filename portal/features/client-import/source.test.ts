import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formOf, previewOf, refusedCsv, type Source } from './source.ts';

const source = (text: string): Source => ({ name: 'x.csv', bytes: new Uint8Array(Buffer.from(text)) });
const row = { name: '', clientId: null, field: null, column: null, cell: null, code: 'x', undo: null, undoReason: null };

describe('a file before it is sent', () => {
  it('shows its columns and first rows', () => {
    const preview = previewOf(source(`Firma;Farbe\n${'a;b\n'.repeat(9)}`), {});
    assert.ok(!('problem' in preview));
    assert.deepEqual(
      [preview.delimiter, preview.header, preview.fields, preview.rows.length],
      ['semicolon', ['Firma', 'Farbe'], ['name', null], 5],
    );
    assert.deepEqual(previewOf(source(''), {}), { problem: 'empty' });
    assert.equal(preview.rowCount, 9);
  });

  it('without headings has columns by their position, and every row', () => {
    const file = source('Oak Dental;ann@oak.example;1\nElm Vet;;2\n');
    const guessed = previewOf(file, {});
    assert.ok(!('problem' in guessed));
    assert.deepEqual(
      [guessed.hasHeader, guessed.header, guessed.fields, guessed.rows.length, guessed.rowCount],
      [false, ['', '', ''], [null, null, null], 2, 2],
    );
    const preview = previewOf(file, { hasHeader: true });
    assert.ok(!('problem' in preview));
    assert.deepEqual([preview.hasHeader, preview.header[0], preview.rowCount], [true, 'Oak Dental', 1]);
    const form = formOf(file, guessed, { fields: ['name', null, 'externalRef'], mode: 'all', dryRun: true });
    assert.deepEqual([form.get('hasHeader'), form.get('mapping')], ['false', '{"1":"name","3":"externalRef"}']);
    const refused = { ...row, row: 1, outcome: 'refused' as const, reason: 'No.' };
    assert.equal(
      refusedCsv(file, { delimiter: 'semicolon', encoding: 'utf-8', hasHeader: false, fields: ['name', null, 'externalRef'] }, [refused]),
      '\uFEFFName;;Your reference;Reason\r\nOak Dental;ann@oak.example;1;No.\r\n',
    );
  });

  it('gives back its refused rows with the reason', () => {
    const rows = [
      { ...row, row: 2, outcome: 'created' as const, reason: null },
      { ...row, row: 3, outcome: 'refused' as const, reason: 'Enter an e-mail address, such as a@b.example.' },
    ];
    assert.equal(
      refusedCsv(
        source('Name;Mail\nOak;a@b.example\n"Elm;1";=no'),
        { delimiter: 'semicolon', encoding: 'utf-8', hasHeader: true, fields: ['name', 'contactEmail'] },
        rows,
      ),
      '\uFEFFName;Mail;Reason\r\n"Elm;1";\'=no;Enter an e-mail address, such as a@b.example.\r\n',
    );
    for (const [text, delimiter, separator] of [
      ['Name,Mail\nOak,\n"Elm, 1",=no', 'comma', ','],
      ['Name;Mail\nOak;\nElm, 1;=no', 'semicolon', ';'],
      // What no spreadsheet opens in columns is given back as what most do.
      ['Name\tMail\nOak\t\nElm, 1\t=no', 'tab', ','],
    ] as const) {
      const given = refusedCsv(source(text), { delimiter, encoding: 'utf-8', hasHeader: true, fields: ['name', 'contactEmail'] }, rows);
      assert.ok(given.startsWith(`\uFEFFName${separator}Mail${separator}Reason\r\n`), given);
      const again = previewOf(source(given), {});
      assert.ok(!('problem' in again));
      assert.deepEqual(
        [again.fields, again.rows],
        [['name', 'contactEmail', null], [['Elm, 1', "'=no", 'Enter an e-mail address, such as a@b.example.']]],
      );
    }
  });
});
