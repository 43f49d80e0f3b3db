import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { previewOf, refusedCsv, type Source } from './source.ts';

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
  });

  it('gives back its refused rows with the reason', () => {
    const rows = [
      { ...row, row: 2, outcome: 'created' as const, reason: null },
      { ...row, row: 3, outcome: 'refused' as const, reason: 'Enter an e-mail address, such as a@b.example.' },
    ];
    assert.equal(
      refusedCsv(source('Name;Mail\nOak;a@b.example\n"Elm;1";=no'), { delimiter: 'semicolon', encoding: 'utf-8' }, rows),
      '\uFEFFName,Mail,Reason\r\nElm;1,\'=no,"Enter an e-mail address, such as a@b.example."\r\n',
    );
  });
});
