import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS, type TableEncoding } from '@partner-portal/contract/vocabulary.ts';
import { FIELD_LABELS, looksLikeData, recogniseColumns } from './columns.ts';
import { decodeTable } from './decode-table.ts';
import { planImport } from './plan-import.ts';
import { isScientific, isSpreadsheetError, readCell } from './read-cell.ts';
import { delimiterOf, readTable } from './read-table.ts';
import { restorable } from './undo.ts';

const TEXT = 'Name;Straße\nMüller & Söhne;„Am Markt“ 5 €\n';
const utf16 = (text: string, isLittle: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isLittle ? bytes : bytes.swap16();
};
const windows1252 = (text: string): Buffer =>
  Buffer.from(text.replaceAll('„', '\u0084').replaceAll('“', '\u0093').replaceAll('€', '\u0080'), 'latin1');

describe('the encoding of a file', () => {
  const files: [what: string, bytes: Buffer, encoding: TableEncoding][] = [
    ['UTF-8', Buffer.from(TEXT), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`), 'utf-8'],
    ['Windows-1252', windows1252(TEXT), 'windows-1252'],
    ['UTF-16 LE with a mark', utf16(`\uFEFF${TEXT}`, true), 'utf-16le'],
    ['UTF-16 BE with a mark', utf16(`\uFEFF${TEXT}`, false), 'utf-16be'],
    ['UTF-16 LE', utf16(TEXT, true), 'utf-16le'],
    ['UTF-16 BE', utf16(TEXT, false), 'utf-16be'],
  ];
  for (const [what, bytes, encoding] of files)
    it(`is recognised: ${what}`, () => assert.deepEqual(decodeTable(bytes), { encoding, text: TEXT }));

  it('can be given, and is refused when the bytes are not of it', () => {
    assert.deepEqual(decodeTable(Buffer.from('é'), 'windows-1252'), { encoding: 'windows-1252', text: 'Ã©' });
    assert.deepEqual(decodeTable(Buffer.from([0x41, 0xe9]), 'utf-8'), { problem: 'encoding' });
  });

  it('is none for a workbook', () => assert.deepEqual(decodeTable(Buffer.from('PK\u0003\u0004rest')), { problem: 'workbook' }));
});

const cellsOf = (text: string, options?: Parameters<typeof readTable>[1]) => {
  const table = readTable(text, options);
  return table.problem === null ? [table.header, ...table.rows].map(({ line, cells }) => [line, ...cells]) : table.problem;
};

describe('a table', () => {
  const tables: [what: string, text: string, rows: (number | string)[][]][] = [
    [
      'commas',
      'a,b\n1,2',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'semicolons, and commas inside',
      'a;b\n1,5;2',
      [
        [1, 'a', 'b'],
        [2, '1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2\n',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'pipes',
      'a|b\r\n1|2\r\n',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'line ends of old Macs',
      'a,b\r1,2\r',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'quoted line ends, separators and doubled quotes',
      'a,b\n"x\ny, ""z""",2\nu,v',
      [
        [1, 'a', 'b'],
        [2, 'x\ny, "z"', '2'],
        [4, 'u', 'v'],
      ],
    ],
    [
      'blank lines',
      '\n\na,b\n\n , \n1,2\n\n',
      [
        [3, 'a', 'b'],
        [6, '1', '2'],
      ],
    ],
    [
      'rows that are too short or too long',
      'a,b\n1\n1,2,3',
      [
        [1, 'a', 'b'],
        [2, '1'],
        [3, '1', '2', '3'],
      ],
    ],
    [
      'quoted headings with separators',
      '"a;b",c\n1,2',
      [
        [1, 'a;b', 'c'],
        [2, '1', '2'],
      ],
    ],
    [
      'a first line that names the separator',
      'sep=;\r\na;b,c\r\n1;2',
      [
        [2, 'a', 'b,c'],
        [3, '1', '2'],
      ],
    ],
    [
      'a quoted one, with the separators of its row behind it',
      '"sep=|"|||\na|b\n1|2',
      [
        [2, 'a', 'b'],
        [3, '1', '2'],
      ],
    ],
    [
      'one that names no separator of a table',
      'sep=:\na;b\n1;2',
      [
        [2, 'a', 'b'],
        [3, '1', '2'],
      ],
    ],
    [
      'line ends of Windows and Unix in one list',
      'sep=;\r\na;b\r\n1;"x\r\ny"\n3;4\r\n5;6',
      [
        [2, 'a', 'b'],
        [3, '1', 'x\ny'],
        [5, '3', '4'],
        [6, '5', '6'],
      ],
    ],
    [
      'line ends of both behind a header of one column',
      'a\r\nb\nc\nd',
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [4, 'd'],
      ],
    ],
    [
      'quotes that are not doubled in cells that are all quoted',
      'a,b\n"x "y" z","1"\n"u","v"',
      [
        [1, 'a', 'b'],
        [2, 'x "y" z', '1'],
        [3, 'u', 'v'],
      ],
    ],
    [
      'one column',
      'a\nb',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
  ];
  for (const [what, text, rows] of tables) it(`is read: ${what}`, () => assert.deepEqual(cellsOf(text), rows));

  it('without a header has every record as a row, and blank headings of its first', () => {
    const options = { hasHeader: false };
    assert.deepEqual(cellsOf('a,b\n1,2', options), [
      [0, '', ''],
      [1, 'a', 'b'],
      [2, '1', '2'],
    ]);
    assert.equal(cellsOf(' \n', options), 'empty');
    assert.equal(cellsOf('a\n1\n2\n3', { ...options, rowsMax: 2 }).length, 3);
    assert.equal(cellsOf('x\n'.repeat(LIMITS.importRowsMax), options).length, LIMITS.importRowsMax + 1);
    assert.equal(cellsOf('x\n'.repeat(LIMITS.importRowsMax + 1), options), 'too_many_rows');
  });
  it('is read in part for a preview', () => assert.equal(cellsOf('a\n1\n2\n3', { rowsMax: 2 }).length, 3));
  it('names its separator in UTF-16 too', () => {
    const decoded = decodeTable(utf16('\uFEFFsep=;\na;b\n1;2', true));
    assert.deepEqual('text' in decoded && cellsOf(decoded.text), [
      [2, 'a', 'b'],
      [3, '1', '2'],
    ]);
  });
  it('has the separator that is given', () => assert.deepEqual(cellsOf('a;b', { delimiter: 'comma' }), [[1, 'a;b']]));
  it('marks a record whose quote is never closed', () => {
    const table = readTable('a,b\n1,"2\n3,4\n');
    assert.deepEqual(table.problem === null && table.rows.map(({ line, isOpen }) => [line, isOpen]), [[2, true]]);
  });

  it('marks a record whose quoted cell goes on behind the quote and takes in cells or rows', () => {
    const opened = (text: string) => {
      const table = readTable(text, { delimiter: 'tab' });
      return table.problem === null && [table.header, ...table.rows].flatMap(({ line, isOpen }) => (isOpen ? [line] : []));
    };
    assert.deepEqual(opened('a\tb\n"Foo" Ltd\t1\nOak\t2\nBar "Roma"\t3\nElm\t4'), [2]);
    assert.deepEqual(opened('a\tb\tc\n"Foo" Ltd\t1\talso "Foo"\nElm\t4\t'), [2]);
    assert.deepEqual(opened('"a" of\tb "c"\n1\t2'), [1]);
    assert.deepEqual(opened('a\tb\nBar "Roma"\t1\n"Foo"\t2\n"x\t""y"""\t3'), []);
  });

  const rows = (count: number): string => `a\n${'x\n'.repeat(count)}`;
  const hostile: [what: string, text: string, problem: string][] = [
    ['nothing', '', 'empty'],
    ['blanks', ' \n\n,,,\n', 'empty'],
    ['a cell of 4 MB', `a\n${'x'.repeat(4_000_000)}`, 'record_too_long'],
    ['a quote that swallows 4 MB', `a,b\n"${'x,\n'.repeat(1_300_000)}`, 'record_too_long'],
    ['quotes that never end a cell', `a,b\n"${'x" y'.repeat(1_000_000)}`, 'record_too_long'],
    ['10,000 columns', `${'a,'.repeat(10_000)}\n`, 'too_many_columns'],
    ['too many rows', rows(LIMITS.importRowsMax + 1), 'too_many_rows'],
    ['a million rows', rows(1_000_000), 'too_many_rows'],
  ];
  for (const [what, text, problem] of hostile) it(`is refused: ${what}`, () => assert.equal(cellsOf(text), problem));
  it('may have as many rows as allowed', () => assert.equal(cellsOf(rows(LIMITS.importRowsMax)).length, LIMITS.importRowsMax + 1));

  it('without a separator has one column', () => assert.equal(delimiterOf('Name\nA;B'), 'comma'));
});

describe('a column', () => {
  it('is recognised by its heading in English, German and Spanish, each field once', () => {
    assert.deepEqual(
      recogniseColumns(['Company', 'Contact person', 'E-Mail', 'Phone number', 'Web site', 'Time zone', 'CRM ID', 'Name', 'Colour']),
      ['name', 'contactName', 'contactEmail', 'phone', 'website', 'timezone', 'externalRef', null, null],
    );
    assert.deepEqual(
      recogniseColumns([
        'Firma',
        'Ansprechpartner',
        'E-Mail-Adresse',
        'Telefon',
        'Sprache',
        'Öffnungszeiten',
        'Anschrift',
        'Kunden-Nr.',
        'HÄUFIGE FRAGEN',
      ]),
      ['name', 'contactName', 'contactEmail', 'phone', 'locale', 'hours', 'address', 'externalRef', 'faqText'],
    );
    assert.deepEqual(
      recogniseColumns([
        'Razón social',
        'Persona de contacto',
        'Correo electrónico',
        'Teléfono',
        'Zona horaria',
        'Idioma',
        'Dirección',
        'Enlace de reseñas',
        ' notas ',
      ]),
      ['name', 'contactName', 'contactEmail', 'phone', 'timezone', 'locale', 'address', 'reviewUrl', 'notes'],
    );
  });

  it('named client holds the ID where another column is the name, as in our own exports', () => {
    const fieldsOf = (...header: string[]) => recogniseColumns(header);
    assert.deepEqual(fieldsOf('Client', 'Name', 'Mail', 'Reference'), ['id', 'name', 'contactEmail', 'externalRef']);
    assert.deepEqual(fieldsOf('Client', 'Mail'), ['name', 'contactEmail']);
    assert.deepEqual(fieldsOf('Customer', 'Name', 'Portal ID'), [null, 'name', 'id']);
  });

  it('named client or customer is the name only where no other column is', () => {
    const nameOf = (...header: string[]) => recogniseColumns(header).indexOf('name');
    for (const heading of ['Client', 'Customer', 'Account', 'Kunde', 'Mandant', 'Cliente']) {
      assert.equal(nameOf(heading, 'E-Mail'), 0, heading);
      assert.equal(nameOf(heading, 'Firma', 'Name'), 1, heading);
      assert.equal(nameOf('Firma', heading), 0, heading);
    }
    assert.equal(nameOf('Kunde', 'Mandant'), 0);
  });

  it('has no heading where the first row names no field and holds an address or a number', () => {
    for (const cells of [
      ['Oak', 'ann@oak.example'],
      ['Oak', '+1 (312) 555-0148'],
      ['Oak', 'oak.example/book'],
      ['Oak', 'https://oak.example'],
    ])
      assert.equal(looksLikeData(cells), true, cells.join());
    for (const cells of [
      ['Name', 'ann@oak.example'],
      ['Firma', 'Farbe'],
      ['Kürzel', 'Farbe 2'],
      ['Oak', 'Elm'],
    ])
      assert.equal(looksLikeData(cells), false, cells.join());
  });

  it('is recognised by the headings of the template and by the names of the API', () => {
    const fields = Object.keys(FIELD_LABELS);
    assert.deepEqual(recogniseColumns(Object.values(FIELD_LABELS)), fields);
    assert.deepEqual(recogniseColumns(fields), fields);
  });
});

describe('a cell', () => {
  it('is read as its writer means it', () => {
    const cells = [
      [readCell('phone', "'+1 312"), '+1 312'],
      [readCell('name', '=1+1'), '=1+1'],
      [readCell('name', "'s Lands Welvaren"), "'s Lands Welvaren"],
      [readCell('locale', 'Deutsch'), 'de'],
      [readCell('locale', 'es-MX'), 'es'],
      [readCell('locale', 'Klingon'), 'Klingon'],
      [readCell('website', 'oak.example/book'), 'https://oak.example/book'],
      [readCell('website', 'javascript:alert(1)'), 'javascript:alert(1)'],
      [readCell('notes', '  '), undefined],
    ];
    for (const [read, meant] of cells) assert.equal(read, meant);
  });
});

describe('a number that a spreadsheet changed', () => {
  for (const cell of ['4.91517E+11', '4,91517E+11', '1.31255501E10', ' 4.9e+11 '])
    it(`is recognised: ${cell.trim()}`, () => assert.equal(isScientific(cell), true));
  for (const cell of ['+49 151 7', '13125550148', '5E', 'E+11', '1-800-E+11', ''])
    it(`is not: "${cell}"`, () => assert.equal(isScientific(cell), false));
});

describe('an error of a spreadsheet', () => {
  for (const cell of [
    '#N/A',
    '#NV',
    '#N/D',
    ' #REF! ',
    '#BEZUG!',
    '#¡REF!',
    '#VALUE!',
    '#WERT!',
    '#¡VALOR!',
    '#NAME?',
    '#¿NOMBRE?',
    '#DIV/0!',
    '#¡DIV/0!',
    '######',
  ])
    it(`is recognised: ${cell.trim()}`, () => assert.equal(isSpreadsheetError(cell), true));
  for (const cell of ['#1', '#12-NV', 'NV', 'N/A', '#', '#nv agency', '#NAVY', ''])
    it(`is not: "${cell}"`, () => assert.equal(isSpreadsheetError(cell), false));
});

describe('the plan of an import', () => {
  const client = (id: string, externalRef: string | null, name: string, contactEmail: string | null = null) => ({
    id,
    externalRef,
    name,
    contactEmail,
  });
  const live = [
    client('1', 'r1', 'Oak'),
    client('2', 'r2', 'Elm'),
    client('3', 'r2', 'Elm two'),
    client('4', null, 'Ash', 'a@ash.example'),
  ];
  const does = (rows: { id?: string; name: string; externalRef?: string; contactEmail?: string }[], free = 10, clients = live) =>
    planImport(rows, clients, free).map((plan) =>
      plan.does === 'match' ? plan.client.id : plan.does === 'refuse' ? plan.refusal.code : 'new',
    );

  it('knows a client by its reference, else by name and address', () => {
    assert.deepEqual(
      does([{ name: 'Renamed', externalRef: 'r1' }, { name: 'Ash', contactEmail: 'a@ash.example' }, { name: 'Ash' }, { name: 'Fir' }]),
      ['1', '4', 'new', 'new'],
    );
  });

  it('knows a client by its name alone where the row leaves the address out and no other client has the name', () => {
    const [elm, ash] = [{ name: 'Elm two' }, { name: 'Ash' }];
    assert.deepEqual(does([ash, elm]), ['4', '3']);
    assert.deepEqual(does([{ ...ash, contactEmail: 'b@ash.example' }]), ['new'], 'another address');
    assert.deepEqual(does([ash, { ...ash, contactEmail: 'A@ash.example' }]), ['new', '4'], 'another row names it');
    assert.deepEqual(does([{ name: 'Oak', externalRef: 'r9' }]), ['new'], 'another reference');
    const more = [...live, client('5', null, 'Ash', 'b@ash.example')];
    assert.deepEqual(does([ash], 10, more), ['ambiguous']);
    assert.deepEqual(does([ash], 10, [...more, client('6', null, 'Ash')]), ['6']);
  });

  it('knows a client by its ID before anything else, and a row whose ID is of none by the rest', () => {
    assert.deepEqual(does([{ id: '4', name: 'Renamed', contactEmail: 'new@ash.example', externalRef: 'r1' }]), ['4']);
    assert.deepEqual(
      does([
        { id: '9', name: 'Ash', contactEmail: 'a@ash.example' },
        { id: '9', name: 'Fir' },
      ]),
      ['4', 'new'],
    );
    assert.deepEqual(
      does([
        { id: '4', name: 'Ash' },
        { id: '4', name: 'Fir' },
      ]),
      ['4', 'duplicate_in_file'],
    );
    assert.deepEqual(
      does([
        { id: '1', name: 'A' },
        { name: 'B', externalRef: 'r1' },
      ]),
      ['1', 'duplicate_in_file'],
    );
  });

  it('refuses what is named twice', () => {
    assert.deepEqual(
      does([
        { name: 'A', externalRef: 'x' },
        { name: 'B', externalRef: 'x' },
      ]),
      ['new', 'duplicate_in_file'],
    );
    assert.deepEqual(does([{ name: 'A' }, { name: 'A' }, { name: 'A', contactEmail: 'a@b.example' }]), ['new', 'duplicate_in_file', 'new']);
    assert.deepEqual(does([{ name: 'New name', externalRef: 'r1' }, { name: 'Oak' }]), ['1', 'duplicate_in_file']);
    assert.deepEqual(does([{ name: 'Elm', externalRef: 'r2' }]), ['ambiguous']);
  });

  it('adds as many as the plan includes and goes on with those that exist', () => {
    const rows = [{ name: 'A' }, { name: 'B' }, { name: 'Oak', externalRef: 'r1' }];
    assert.deepEqual(does(rows, 1), ['new', 'client_limit_reached', '1']);
    assert.deepEqual(does(rows, -3), ['client_limit_reached', 'client_limit_reached', '1']);
  });
});

describe('taking a change back', () => {
  const client = { status: 'active', phone: '2', notes: 'b' };
  it('restores what is still as the import left it', () => {
    assert.deepEqual(restorable(client, { phone: ['1', '2'] }), { changes: { phone: ['2', '1'] } });
    assert.deepEqual(restorable(client, { phone: ['1', '2'], notes: ['a', 'c'] }), { reason: 'Changed since the import: notes.' });
    assert.deepEqual(restorable({ ...client, status: 'archived' }, { phone: ['1', '2'] }), {
      reason: 'This client has since been archived.',
    });
    assert.deepEqual(restorable(undefined, {}), { reason: 'This client has since been deleted.' });
  });
});
